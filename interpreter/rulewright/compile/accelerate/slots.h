/* What the twins know of the Python side: its classes and functions, and where the slots of objects lie; and how slots, numbers, lists and tuples are used. */

static PyTypeObject *Game, *Machine, *State, *Script, *Budget, *Choosing, *Shown, *Option;
static PyObject *Decision, *RulesError, *spliced, *choice, *call_frames, *unit, *unit_frames, *returned, *paying, *counted, *blank, *ask_one_in_python, *bare_in_python, *permutation_in_python;
static PyObject *moved, *valued, *membered, *placed; /* what the journal calls a move, another value of a field, other members of a place, another place: see `state` */
static PyObject *bodies; /* pairs: what goes on with the body of an effect, and what comes when it is done */

static struct { Py_ssize_t asked, automatic, choices, decision, future, listed, machine, past, rules, seed; } game_;
static struct {
    Py_ssize_t at, begun, budget, depth, extra, fresh, generic, here, inner, last_step, listed, local, looked, most_deep, most_frames, most_looks, much, note, owned, pending, private, said, script, soon,
        state, steps, value, world;
} machine_;
static struct {
    Py_ssize_t answers, ended, installed, installs, journal, known, log, log_length, loose, members, once, outcomes, random, stack, values, version, where;
} state_;
static struct { Py_ssize_t answers, ask; } script_;
static struct { Py_ssize_t log, options; } budget_;
static struct { Py_ssize_t costly, everyone, faces, left, name, open, players, prompted, simple, single, words; } choosing_;
static struct { Py_ssize_t id, label; } shown_;

typedef struct {
    const char *name;
    PyObject **place;
} Part;

typedef struct {
    PyTypeObject **type;
    const char *name;
    Py_ssize_t *offset;
} Slot;

static const Part PARTS[] = {
    {"Game", (PyObject **)&Game}, {"Machine", (PyObject **)&Machine}, {"State", (PyObject **)&State}, {"Script", (PyObject **)&Script},
    {"Budget", (PyObject **)&Budget}, {"Choosing", (PyObject **)&Choosing}, {"Shown", (PyObject **)&Shown}, {"Option", (PyObject **)&Option},
    {"Decision", &Decision}, {"RulesError", &RulesError}, {"spliced", &spliced}, {"choice", &choice}, {"call_frames", &call_frames}, {"unit", &unit},
    {"unit_frames", &unit_frames}, {"returned", &returned}, {"paying", &paying}, {"counted", &counted}, {"blank", &blank}, {"ask_one", &ask_one_in_python},
    {"bare", &bare_in_python}, {"permutation", &permutation_in_python}, {"MOVED", &moved}, {"VALUES", &valued}, {"MEMBERS", &membered}, {"WHERE", &placed}, {"bodies", &bodies},
};
#define TYPES 10 /* so many of them are classes */

static const Slot SLOTS[] = {
    {&Game, "_asked", &game_.asked}, {&Game, "_decision", &game_.decision}, {&Game, "_future", &game_.future}, {&Game, "_listed", &game_.listed},
    {&Game, "_machine", &game_.machine}, {&Game, "_past", &game_.past}, {&Game, "automatic", &game_.automatic}, {&Game, "choices", &game_.choices},
    {&Game, "rules", &game_.rules}, {&Game, "seed", &game_.seed},
    {&Machine, "at", &machine_.at}, {&Machine, "begun", &machine_.begun}, {&Machine, "budget", &machine_.budget}, {&Machine, "depth", &machine_.depth}, {&Machine, "extra", &machine_.extra},
    {&Machine, "fresh", &machine_.fresh}, {&Machine, "generic", &machine_.generic}, {&Machine, "here", &machine_.here}, {&Machine, "inner", &machine_.inner},
    {&Machine, "last_step", &machine_.last_step}, {&Machine, "listed", &machine_.listed}, {&Machine, "local", &machine_.local},
    {&Machine, "looked", &machine_.looked}, {&Machine, "most_deep", &machine_.most_deep}, {&Machine, "most_frames", &machine_.most_frames}, {&Machine, "most_looks", &machine_.most_looks}, {&Machine, "world", &machine_.world}, {&Machine, "much", &machine_.much}, {&Machine, "note", &machine_.note}, {&Machine, "soon", &machine_.soon}, {&Machine, "owned", &machine_.owned},
    {&Machine, "pending", &machine_.pending}, {&Machine, "private", &machine_.private}, {&Machine, "said", &machine_.said},
    {&Machine, "script", &machine_.script}, {&Machine, "state", &machine_.state}, {&Machine, "steps", &machine_.steps}, {&Machine, "value", &machine_.value},
    {&State, "answers", &state_.answers}, {&State, "ended", &state_.ended}, {&State, "installed", &state_.installed},
    {&State, "installs", &state_.installs}, {&State, "journal", &state_.journal}, {&State, "known", &state_.known}, {&State, "log", &state_.log},
    {&State, "log_length", &state_.log_length}, {&State, "loose", &state_.loose}, {&State, "members", &state_.members}, {&State, "once", &state_.once},
    {&State, "outcomes", &state_.outcomes}, {&State, "random", &state_.random}, {&State, "stack", &state_.stack}, {&State, "values", &state_.values},
    {&State, "version", &state_.version}, {&State, "where", &state_.where},
    {&Script, "answers", &script_.answers}, {&Script, "ask", &script_.ask},
    {&Budget, "log", &budget_.log}, {&Budget, "options", &budget_.options},
    {&Choosing, "costly", &choosing_.costly}, {&Choosing, "everyone", &choosing_.everyone}, {&Choosing, "faces", &choosing_.faces},
    {&Choosing, "left", &choosing_.left}, {&Choosing, "name", &choosing_.name}, {&Choosing, "open", &choosing_.open},
    {&Choosing, "players", &choosing_.players}, {&Choosing, "prompted", &choosing_.prompted}, {&Choosing, "simple", &choosing_.simple},
    {&Choosing, "single", &choosing_.single}, {&Choosing, "words", &choosing_.words},
    {&Shown, "id", &shown_.id}, {&Shown, "label", &shown_.label},
};

/* All slots of the classes of which copies are made. */
enum { MOST_SLOTS = 64 };
typedef struct {
    PyTypeObject **type;
    Py_ssize_t count, offset[MOST_SLOTS];
} Layout;
static Layout of_game = {&Game, 0, {0}}, of_machine = {&Machine, 0, {0}}, of_state = {&State, 0, {0}}, of_script = {&Script, 0, {0}};

static PyObject *zero, *nothing; /* 0, () */
static PyObject *w_f; /* what frames call their sort */
static PyObject *w_choose, *w_choice, *w_move, *w_set, *w_message; /* words that end up in decisions and in the log */
static PyObject *n_answered, *n_append, *n_ask, *n_costly, *n_begin, *n_fail, *n_go_on, *n_leave, *n_go_on_or_back, *n_kind, *n_place, *n_prompted, *n_seers_of, *n_tellers;

static const struct { const char *text; PyObject **place; } WORDS[] = {
    {"choose", &w_choose}, {"choice", &w_choice}, {"move", &w_move}, {"set", &w_set}, {"message", &w_message},
    {"f", &w_f}, {"answered", &n_answered}, {"append", &n_append}, {"_ask", &n_ask}, {"_begin", &n_begin}, {"costly", &n_costly}, {"_fail", &n_fail}, {"_go_on", &n_go_on}, {"_go_on_or_back", &n_go_on_or_back},
    {"kind", &n_kind}, {"_leave", &n_leave}, {"_place", &n_place}, {"prompted", &n_prompted}, {"seers_of", &n_seers_of}, {"tellers", &n_tellers},
};

/* -- slots, numbers, lists and tuples */

/* What is in a slot; NULL if it is empty. The reference is borrowed. */
static inline PyObject *get(PyObject *object, Py_ssize_t offset) { return *(PyObject **)((char *)object + offset); }

/* Put something into a slot; its reference is taken over. */
static inline void give(PyObject *object, Py_ssize_t offset, PyObject *value)
{
    PyObject **place = (PyObject **)((char *)object + offset), *before = *place;
    *place = value;
    Py_XDECREF(before);
}

/* Put something into a slot; nothing (NULL) empties it. */
static inline void set(PyObject *object, Py_ssize_t offset, PyObject *value) { give(object, offset, Py_XNewRef(value)); }

/* What is in a slot, if it is an object of a class. */
static inline PyObject *get_a(PyTypeObject *type, PyObject *object, Py_ssize_t offset)
{
    PyObject *found = get(object, offset);
    return found != NULL && Py_TYPE(found) == type ? found : NULL;
}

static inline PyObject *get_list(PyObject *object, Py_ssize_t offset) { return get_a(&PyList_Type, object, offset); }

/* Whether something is a plain whole number that fits. */
static inline int is_number(PyObject *value, long *number)
{
    int beyond = 0;
    if (value == NULL || !PyLong_CheckExact(value)) return 0;
    *number = PyLong_AsLongAndOverflow(value, &beyond);
    return beyond == 0;
}

/* Whether a slot holds a plain whole number that fits, with room for more. */
static inline int get_number(PyObject *object, Py_ssize_t offset, long *number)
{
    return is_number(get(object, offset), number) && *number < LONG_MAX / 2 && *number > LONG_MIN / 2;
}

static int set_number(PyObject *object, Py_ssize_t offset, long number)
{
    PyObject *made = PyLong_FromLong(number);
    if (made == NULL) return -1;
    give(object, offset, made);
    return 0;
}

/* A tuple of so many things, or NULL. To make one may set off the garbage collector, and with it anything: so the parts are kept first. */
static PyObject *packed(Py_ssize_t count, PyObject *const *parts)
{
    for (Py_ssize_t number = 0; number < count; number++) Py_INCREF(parts[number]);
    PyObject *made = PyTuple_New(count);
    for (Py_ssize_t number = 0; number < count; number++) {
        if (made != NULL)
            PyTuple_SET_ITEM(made, number, parts[number]);
        else
            Py_DECREF(parts[number]);
    }
    return made;
}
#define PACKED(...) packed(sizeof((PyObject *[]){__VA_ARGS__}) / sizeof(PyObject *), (PyObject *[]){__VA_ARGS__})

/* Add a tuple that was just made to a list, and let go of it. */
static int append(PyObject *list, PyObject *made)
{
    int result = made == NULL ? -1 : PyList_Append(list, made);
    Py_XDECREF(made);
    return result;
}

static inline int emptied(PyObject *list) { return PyList_GET_SIZE(list) ? PyList_SetSlice(list, 0, PyList_GET_SIZE(list), NULL) : 0; }

/* Hand a call over to the Python twin. */
static inline PyObject *in_python(PyObject *function, PyObject *const *args, Py_ssize_t count)
{
    if (function == NULL) return PyErr_Format(PyExc_RuntimeError, "the twins have not been set up");
    return PyObject_Vectorcall(function, args, count, NULL);
}

/* How something ended, from what a Python function gave. */
static long ended_so(PyObject *given)
{
    if (given == NULL) return -1;
    long ended = PyLong_AsLong(given);
    Py_DECREF(given);
    if (ended < 0 && !PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "a body ended in no way that there is");
    return ended;
}

/* The error that was raised, with its traceback; it is not raised any more. */
static PyObject *caught(void)
{
#if PY_VERSION_HEX >= 0x030C0000
    return PyErr_GetRaisedException();
#else
    PyObject *type, *error, *trace;
    PyErr_Fetch(&type, &error, &trace);
    PyErr_NormalizeException(&type, &error, &trace);
    if (trace != NULL) PyException_SetTraceback(error, trace);
    Py_XDECREF(type);
    Py_XDECREF(trace);
    return error;
#endif
}

static void raise_again(PyObject *error)
{
#if PY_VERSION_HEX >= 0x030C0000
    PyErr_SetRaisedException(error);
#else
    PyErr_Restore(Py_NewRef(Py_TYPE(error)), error, PyException_GetTraceback(error));
#endif
}

/* What writes to the log while bodies run (see `Machine.note`), and what is the cause of it all; 0 if that is not known. Borrowed. */
static inline int is_noting(PyObject *machine, PyObject **note, PyObject **said)
{
    *note = get(machine, machine_.note), *said = get(machine, machine_.said);
    return *note != NULL && *note != Py_None && *said != NULL;
}

/* Write an entry that was just made to the log, and let go of it. */
static int noted(PyObject *note, PyObject *entry)
{
    PyObject *result = entry == NULL ? NULL : PyObject_CallOneArg(note, entry);
    Py_XDECREF(entry), Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}
