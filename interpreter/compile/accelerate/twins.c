/* Twins of the few functions that every decision goes through, in C.

   Each does exactly what its Python twin does, and only in the usual case: whatever is not usual is handed to the Python function before anything has
   been changed, and so is every error. So nothing here decides what rules mean; without this file games are the same, and slower.

   Objects of the Python side are read and written through their slots: where each lies in an object is asked once, in `setup`. A slot may be empty and
   may hold anything, so nothing is taken for granted: every value is looked at before it is used. A function that was made for a world gets what
   it knows about that world as its `self`, a tuple.

   Words used throughout: a function that gives 0 or 1 says whether something is so; one that gives -1 has raised a Python error. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

#ifdef Py_GIL_DISABLED
#error "the twins rely on the global interpreter lock"
#endif

/* -- what the Python side has */

static PyTypeObject *Game, *Machine, *State, *Script, *Budget, *Choosing, *Shown, *Option;
static PyObject *Decision, *RulesError, *spliced, *choice, *call_frames, *unit, *unit_frames, *returned, *paying, *counted, *blank, *ask_one_in_python;
static PyObject *moved, *valued; /* what the journal calls a move and a new value of a field: see `state` */
static PyObject *bodies; /* pairs: what goes on with the body of an effect, and what comes when it is done */

static struct { Py_ssize_t asked, automatic, choices, decision, future, listed, machine, past, rules, seed; } game_;
static struct {
    Py_ssize_t at, begun, budget, depth, extra, fresh, generic, here, inner, last_step, listed, local, looked, most_frames, most_looks, much, note, owned, pending, private, said, script, soon,
        state, steps, value, world;
} machine_;
static struct {
    Py_ssize_t answers, ended, installed, installs, journal, known, log, log_length, loose, members, once, outcomes, random, stack, values, version, where;
} state_;
static struct { Py_ssize_t answers, ask, given; } script_;
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
    {"MOVED", &moved}, {"VALUES", &valued}, {"bodies", &bodies},
};
#define TYPES 10 /* so many of them are classes */

static const Slot SLOTS[] = {
    {&Game, "_asked", &game_.asked}, {&Game, "_decision", &game_.decision}, {&Game, "_future", &game_.future}, {&Game, "_listed", &game_.listed},
    {&Game, "_machine", &game_.machine}, {&Game, "_past", &game_.past}, {&Game, "automatic", &game_.automatic}, {&Game, "choices", &game_.choices},
    {&Game, "rules", &game_.rules}, {&Game, "seed", &game_.seed},
    {&Machine, "at", &machine_.at}, {&Machine, "begun", &machine_.begun}, {&Machine, "budget", &machine_.budget}, {&Machine, "depth", &machine_.depth}, {&Machine, "extra", &machine_.extra},
    {&Machine, "fresh", &machine_.fresh}, {&Machine, "generic", &machine_.generic}, {&Machine, "here", &machine_.here}, {&Machine, "inner", &machine_.inner},
    {&Machine, "last_step", &machine_.last_step}, {&Machine, "listed", &machine_.listed}, {&Machine, "local", &machine_.local},
    {&Machine, "looked", &machine_.looked}, {&Machine, "most_frames", &machine_.most_frames}, {&Machine, "most_looks", &machine_.most_looks}, {&Machine, "world", &machine_.world}, {&Machine, "much", &machine_.much}, {&Machine, "note", &machine_.note}, {&Machine, "soon", &machine_.soon}, {&Machine, "owned", &machine_.owned},
    {&Machine, "pending", &machine_.pending}, {&Machine, "private", &machine_.private}, {&Machine, "said", &machine_.said},
    {&Machine, "script", &machine_.script}, {&Machine, "state", &machine_.state}, {&Machine, "steps", &machine_.steps}, {&Machine, "value", &machine_.value},
    {&State, "answers", &state_.answers}, {&State, "ended", &state_.ended}, {&State, "installed", &state_.installed},
    {&State, "installs", &state_.installs}, {&State, "journal", &state_.journal}, {&State, "known", &state_.known}, {&State, "log", &state_.log},
    {&State, "log_length", &state_.log_length}, {&State, "loose", &state_.loose}, {&State, "members", &state_.members}, {&State, "once", &state_.once},
    {&State, "outcomes", &state_.outcomes}, {&State, "random", &state_.random}, {&State, "stack", &state_.stack}, {&State, "values", &state_.values},
    {&State, "version", &state_.version}, {&State, "where", &state_.where},
    {&Script, "answers", &script_.answers}, {&Script, "ask", &script_.ask}, {&Script, "given", &script_.given},
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
static inline PyObject *in_python(PyObject *function, PyObject *const *args, Py_ssize_t count) { return PyObject_Vectorcall(function, args, count, NULL); }

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

/* -- moving, setting, telling: twins of the functions that `moving` makes for a world */

/* Where a component lies in a tuple of components; -1 if it does not, or if there is something strange in it. */
static Py_ssize_t found_in(PyObject *things, long component)
{
    Py_ssize_t count = PyTuple_GET_SIZE(things);
    long each;
    if (count == 0) return -1;
    if (is_number(PyTuple_GET_ITEM(things, count - 1), &each) && each == component) return count - 1;
    for (Py_ssize_t number = 0; number < count; number++) {
        if (!is_number(PyTuple_GET_ITEM(things, number), &each)) return -1;
        if (each == component) return number;
    }
    return -1;
}

/* A tuple without one of its parts. */
static PyObject *without(PyObject *things, Py_ssize_t at)
{
    Py_ssize_t count = PyTuple_GET_SIZE(things);
    PyObject *made = PyTuple_New(count - 1);
    if (made != NULL)
        for (Py_ssize_t number = 0; number < count - 1; number++)
            PyTuple_SET_ITEM(made, number, Py_NewRef(PyTuple_GET_ITEM(things, number < at ? number : number + 1)));
    return made;
}

/* A tuple with one more part, at its end or its beginning. */
static PyObject *with(PyObject *things, PyObject *more, int first)
{
    Py_ssize_t count = PyTuple_GET_SIZE(things);
    PyObject *made = PyTuple_New(count + 1);
    if (made != NULL) {
        for (Py_ssize_t number = 0; number < count; number++) PyTuple_SET_ITEM(made, number + first, Py_NewRef(PyTuple_GET_ITEM(things, number)));
        PyTuple_SET_ITEM(made, first ? 0 : count, Py_NewRef(more));
    }
    return made;
}

/* What `put` knows about a world: the Python twin, how many things go into each place, which components are odd, whether it is put below, everyone; and unless
   everyone can tell everything: who sees into each place, to what component each place belongs, which components can be face down, and what component each place is or
   is owned by. */
enum { PUT_TWIN, PUT_ROOMS, PUT_ODD, PUT_LOW, PUT_EVERYONE, PUT_SIGHT, PUT_HOLDERS, PUT_HIDES, PUT_AROUND, PUT_PARTS };

/* Whether it is plain that a component does not lie in itself when it is put somewhere, nor is ever face down. */
static int is_apart(PyObject *self, PyObject *where, long component, long to)
{
    PyObject *hides = PyTuple_GET_ITEM(self, PUT_HIDES), *around = PyTuple_GET_ITEM(self, PUT_AROUND), *outer;
    long number, place;
    if (PyTuple_GET_ITEM(self, PUT_SIGHT) == Py_None || component >= PyBytes_GET_SIZE(hides) || PyBytes_AS_STRING(hides)[component]) return 0;
    if ((outer = PyTuple_GET_ITEM(around, to)) == Py_None) return 1;
    if (!is_number(outer, &number) || number == component || number < 0 || number >= PyList_GET_SIZE(where)) return 0;
    if (!is_number(PyList_GET_ITEM(where, number), &place) || place < 0 || place >= PyTuple_GET_SIZE(around)) return 0;
    return PyTuple_GET_ITEM(around, place) == Py_None;
}

/* Whether it has to be worked out who can tell a place, since it is in or at a component that not everyone can tell; -1 if something is strange. */
static int is_hidden(PyObject *self, PyObject *where, long place)
{
    PyObject *sight = PyTuple_GET_ITEM(self, PUT_SIGHT), *holder = PyTuple_GET_ITEM(PyTuple_GET_ITEM(self, PUT_HOLDERS), place);
    long number, at;
    if (holder == Py_None) return 0;
    if (!is_number(holder, &number) || number < 0 || number >= PyBytes_GET_SIZE(PyTuple_GET_ITEM(self, PUT_HIDES)) || number >= PyList_GET_SIZE(where)) return -1;
    if (PyBytes_AS_STRING(PyTuple_GET_ITEM(self, PUT_HIDES))[number]) return 1;
    if (!is_number(PyList_GET_ITEM(where, number), &at) || at < 0 || at >= PyTuple_GET_SIZE(sight)) return -1;
    return PyObject_RichCompareBool(PyTuple_GET_ITEM(sight, at), PyTuple_GET_ITEM(self, PUT_EVERYONE), Py_NE);
}

/* Who sees a component that is moved: who sees where it was, who sees where it comes to, and who knows it. */
static PyObject *seers(PyObject *one, PyObject *other, PyObject *known)
{
    PyObject *both = PyNumber_Or(one, other), *all = both == NULL ? NULL : PyNumber_Or(both, known);
    Py_XDECREF(both);
    return all;
}

static PyObject *put(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    PyObject *machine, *state, *where, *members, *journal, *note, *said, *known, *rooms = PyTuple_GET_ITEM(self, PUT_ROOMS);
    PyObject *odd = PyTuple_GET_ITEM(self, PUT_ODD), *sight = PyTuple_GET_ITEM(self, PUT_SIGHT), *everyone = PyTuple_GET_ITEM(self, PUT_EVERYONE);
    PyObject *left, *there, *origin, *knowers, *result = NULL;
    long component, to, before, room, version;
    Py_ssize_t at;
    if (count != 3 || Py_TYPE(machine = args[0]) != Machine || !is_number(args[1], &component) || !is_number(args[2], &to)) goto python;
    if ((state = get_a(State, machine, machine_.state)) == NULL || !is_noting(machine, &note, &said)) goto python;
    where = get_list(state, state_.where), members = get_list(state, state_.members), journal = get_list(state, state_.journal);
    known = get_list(state, state_.known);
    if (where == NULL || members == NULL || journal == NULL || known == NULL || !get_number(state, state_.version, &version)) goto python;
    if (component < 0 || component >= PyList_GET_SIZE(where) || component >= PyBytes_GET_SIZE(odd) || component >= PyList_GET_SIZE(known)) goto python;
    origin = PyList_GET_ITEM(where, component), knowers = PyList_GET_ITEM(known, component);
    if (!is_number(origin, &before) || before == to || !PyLong_CheckExact(knowers)) goto python;
    if (to < 0 || to >= PyTuple_GET_SIZE(rooms) || to >= PyList_GET_SIZE(members)) goto python;
    if (before < 0 || before >= PyTuple_GET_SIZE(rooms) || before >= PyList_GET_SIZE(members)) goto python;
    if (PyBytes_AS_STRING(odd)[component] && !is_apart(self, where, component, to)) goto python;
    left = PyList_GET_ITEM(members, before), there = PyList_GET_ITEM(members, to);
    if (!PyTuple_CheckExact(left) || !PyTuple_CheckExact(there) || !is_number(PyTuple_GET_ITEM(rooms, to), &room)) goto python;
    if (PyTuple_GET_SIZE(there) >= room || (at = found_in(left, component)) < 0) goto python;
    if (sight != Py_None && (PyTuple_GET_ITEM(sight, before) == Py_None || PyTuple_GET_ITEM(sight, to) == Py_None)) goto python;
    {
        /* Nothing is left to Python from here on. All that is made is made first, and all that is used is kept. */
        PyObject *kept[] = {state, where, members, journal, note, said, left, there, origin, knowers};
        for (size_t number = 0; number < sizeof kept / sizeof *kept; number++) Py_INCREF(kept[number]);
        PyObject *change = PACKED(moved, args[1], origin, left, there);
        PyObject *rest = without(left, at), *more = with(there, args[1], PyTuple_GET_ITEM(self, PUT_LOW) == Py_True);
        PyObject *seen = sight == Py_None
            ? Py_NewRef(everyone)
            : seers(PyTuple_GET_ITEM(sight, before), PyTuple_GET_ITEM(sight, to), knowers);
        PyObject *told = NULL;
        if (change == NULL || rest == NULL || more == NULL || seen == NULL || PyList_Append(journal, change) < 0) goto done;
        if (PyList_SetItem(members, before, Py_NewRef(rest)) < 0 || PyList_SetItem(members, to, Py_NewRef(more)) < 0) goto done;
        if (PyList_SetItem(where, component, Py_NewRef(args[2])) < 0 || set_number(state, state_.version, version + 1) < 0) goto done;
        int hidden = sight == Py_None ? 0 : is_hidden(self, where, before);
        if (hidden == 0 && sight != Py_None) hidden = is_hidden(self, where, to);
        told = hidden ? PyErr_Occurred() ? NULL : PyObject_CallMethodObjArgs(machine, n_tellers, origin, args[2], NULL) : Py_NewRef(everyone);
        if (told != NULL && noted(note, PACKED(w_move, said, args[1], origin, args[2], seen, told)) == 0) result = Py_NewRef(Py_None);
    done:
        Py_XDECREF(change), Py_XDECREF(rest), Py_XDECREF(more), Py_XDECREF(seen), Py_XDECREF(told);
        for (size_t number = 0; number < sizeof kept / sizeof *kept; number++) Py_DECREF(kept[number]);
        return result;
    }
python:
    return in_python(PyTuple_GET_ITEM(self, PUT_TWIN), args, count);
}

/* What `assign` knows about a field in a world: the Python twin, its name, for each component that has it the index of its value, its lowest and highest value,
   whether everyone can read it and whether all can who can tell the component; everyone, and who sees into each place. */
enum { ASSIGN_TWIN, ASSIGN_NAME, ASSIGN_SLOTS, ASSIGN_EVERYONE, ASSIGN_SIGHT, ASSIGN_PARTS };

/* Whether a value is a number, a word, yes, no or nothing: to compare two of them runs no Python code. */
static inline int is_simple(PyObject *value)
{
    return PyLong_CheckExact(value) || PyUnicode_CheckExact(value) || PyBool_Check(value) || value == Py_None;
}

static PyObject *assign(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    PyObject *machine, *state, *values, *journal, *note, *said, *slot, *before, *value, *low, *high;
    long component, index, version, number, least, most;
    if (count != 3 || Py_TYPE(machine = args[0]) != Machine || !is_number(args[1], &component)) goto python;
    if ((slot = PyDict_GetItemWithError(PyTuple_GET_ITEM(self, ASSIGN_SLOTS), args[1])) == NULL) {
        if (PyErr_Occurred()) return NULL;
        Py_RETURN_NONE;
    }
    value = args[2], low = PyTuple_GET_ITEM(slot, 1), high = PyTuple_GET_ITEM(slot, 2);
    if (low != Py_None && PyLong_CheckExact(value)) {
        if (!is_number(value, &number) || !is_number(low, &least) || !is_number(high, &most) || number < least || number > most) goto python;
    }
    if ((state = get_a(State, machine, machine_.state)) == NULL || !is_noting(machine, &note, &said)) goto python;
    values = get_list(state, state_.values), journal = get_list(state, state_.journal);
    if (values == NULL || journal == NULL || !get_number(state, state_.version, &version)) goto python;
    if (!is_number(PyTuple_GET_ITEM(slot, 0), &index) || index < 0 || index >= PyList_GET_SIZE(values)) goto python;
    before = PyList_GET_ITEM(values, index);
    if (before == value) Py_RETURN_NONE;
    if (!is_simple(before) || !is_simple(value)) goto python;
    {
        PyObject *kept[] = {state, values, journal, note, said, before}, *seen = NULL, *change = NULL, *result = NULL;
        int same = PyObject_RichCompareBool(before, value, Py_EQ);
        if (same != 0) return same < 0 ? NULL : Py_NewRef(Py_None);
        if (PyTuple_GET_ITEM(slot, 3) == Py_True)
            seen = Py_NewRef(PyTuple_GET_ITEM(self, ASSIGN_EVERYONE));
        else {
            PyObject *where = get_list(state, state_.where), *known = get_list(state, state_.known), *sight = PyTuple_GET_ITEM(self, ASSIGN_SIGHT), *bits;
            long place;
            if (PyTuple_GET_ITEM(slot, 4) != Py_True || where == NULL || known == NULL) goto python;
            if (component < 0 || component >= PyList_GET_SIZE(where) || component >= PyList_GET_SIZE(known)) goto python;
            if (!is_number(PyList_GET_ITEM(where, component), &place) || place < 0 || place >= PyTuple_GET_SIZE(sight)) goto python;
            if ((bits = PyTuple_GET_ITEM(sight, place)) == Py_None || !PyLong_CheckExact(PyList_GET_ITEM(known, component))) goto python;
            if ((seen = PyNumber_Or(bits, PyList_GET_ITEM(known, component))) == NULL) return NULL;
        }
        for (size_t each = 0; each < sizeof kept / sizeof *kept; each++) Py_INCREF(kept[each]);
        change = PACKED(valued, PyTuple_GET_ITEM(slot, 0), before);
        if (change == NULL || PyList_Append(journal, change) < 0 || PyList_SetItem(values, index, Py_NewRef(value)) < 0) goto done;
        if (set_number(state, state_.version, version + 1) < 0) goto done;
        if (noted(note, PACKED(w_set, said, args[1], PyTuple_GET_ITEM(self, ASSIGN_NAME), before, value, seen)) == 0) result = Py_NewRef(Py_None);
    done:
        Py_XDECREF(seen), Py_XDECREF(change);
        for (size_t each = 0; each < sizeof kept / sizeof *kept; each++) Py_DECREF(kept[each]);
        return result;
    }
python:
    return in_python(PyTuple_GET_ITEM(self, ASSIGN_TWIN), args, count);
}

/* What `tell` knows about a world: the Python twin and everyone; and unless everyone can tell everything: which components can be face down, and into which places
   everyone sees. */
enum { TELL_TWIN, TELL_EVERYONE, TELL_HIDES, TELL_CLEAR, TELL_PARTS };

/* Whether everyone can tell everything that a message names. */
static int is_told(PyObject *self, PyObject *state, PyObject *named)
{
    PyObject *hides = PyTuple_GET_ITEM(self, TELL_HIDES), *clear = PyTuple_GET_ITEM(self, TELL_CLEAR), *where = get_list(state, state_.where);
    long thing, place;
    if (hides == Py_None) return 1;
    if (where == NULL || !PyTuple_CheckExact(named)) return 0;
    for (Py_ssize_t number = 0; number < PyTuple_GET_SIZE(named); number++) {
        if (!is_number(PyTuple_GET_ITEM(named, number), &thing) || thing < 0) return 0;
        if (thing >= PyBytes_GET_SIZE(hides)) continue; /* a place */
        if (PyBytes_AS_STRING(hides)[thing] || thing >= PyList_GET_SIZE(where) || !is_number(PyList_GET_ITEM(where, thing), &place)) return 0;
        if (place < 0 || place >= PyBytes_GET_SIZE(clear) || !PyBytes_AS_STRING(clear)[place]) return 0;
    }
    return 1;
}

static PyObject *tell(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    PyObject *machine, *state, *note, *said;
    if (count != 3 || Py_TYPE(machine = args[0]) != Machine || (state = get_a(State, machine, machine_.state)) == NULL) goto python;
    if (!is_noting(machine, &note, &said) || !is_told(self, state, args[2])) goto python;
    Py_INCREF(note);
    int failed = noted(note, PACKED(w_message, said, args[1], PyTuple_GET_ITEM(self, TELL_EVERYONE), Py_None));
    Py_DECREF(note);
    return failed < 0 ? NULL : Py_NewRef(Py_None);
python:
    return in_python(PyTuple_GET_ITEM(self, TELL_TWIN), args, count);
}

/* -- asking: the twin of `running.ask_one` */

/* How callers see some components; NULL without an error if one of them is strange. */
static PyObject *shown_as(PyObject *found, PyObject *faces)
{
    Py_ssize_t count = PyList_GET_SIZE(found);
    PyObject *made = PyTuple_New(count);
    long thing;
    for (Py_ssize_t number = 0; made != NULL && number < count; number++) {
        if (number >= PyList_GET_SIZE(found) || !is_number(PyList_GET_ITEM(found, number), &thing) || thing < 0 || thing >= PyList_GET_SIZE(faces))
            Py_CLEAR(made);
        else
            PyTuple_SET_ITEM(made, number, Py_NewRef(PyList_GET_ITEM(faces, thing)));
    }
    return made;
}

static PyObject *ask_one(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    PyObject *machine, *one, *found, *state, *budget, *outcomes, *pending, *faces, *left, *words, *shown, *outcome;
    long player, players, most;
    if (bodies == NULL) return PyErr_Format(PyExc_RuntimeError, "the twins have not been set up");
    if (count != 5 || Py_TYPE(machine = args[0]) != Machine || Py_TYPE(one = args[1]) != Choosing || !PyList_CheckExact(found = args[3])) goto python;
    if (get(one, choosing_.simple) != Py_True || !is_number(args[2], &player) || !is_number(get(one, choosing_.players), &players)) goto python;
    state = get_a(State, machine, machine_.state), budget = get_a(Budget, machine, machine_.budget), pending = get_list(machine, machine_.pending);
    if (state == NULL || budget == NULL || pending == NULL || !is_number(get(budget, budget_.options), &most)) goto python;
    outcomes = get_list(state, state_.outcomes), faces = get_list(one, choosing_.faces), left = get(one, choosing_.left), words = get(one, choosing_.words);
    if (outcomes == NULL || faces == NULL || left == NULL || words == NULL || player < 0 || player >= players || player >= PyList_GET_SIZE(outcomes)) goto python;
    outcome = PyList_GET_ITEM(outcomes, player);
    if (!PyUnicode_CheckExact(outcome) || PyUnicode_CompareWithASCIIString(outcome, "eliminated") == 0) goto python;
    if (PyList_GET_SIZE(found) == 0 || PyList_GET_SIZE(found) >= most) goto python;
    PyObject *kept[] = {left, pending, faces, words};
    for (size_t number = 0; number < sizeof kept / sizeof *kept; number++) Py_INCREF(kept[number]);
    PyObject *listed = (shown = shown_as(found, faces)) == NULL ? NULL : PACKED(left, found, args[2], words, one, shown);
    int failed = listed == NULL;
    if (!failed) {
        give(machine, machine_.listed, listed);
        failed = PyList_Append(pending, left) < 0;
    }
    Py_XDECREF(shown);
    for (size_t number = 0; number < sizeof kept / sizeof *kept; number++) Py_DECREF(kept[number]);
    if (failed && !PyErr_Occurred()) goto python;
    return failed ? NULL : PyLong_FromLong(1);
python:
    return in_python(ask_one_in_python, args, count);
}

/* -- going on with what was left behind: twins of `resuming` */

/* What comes when the body of an effect is done, if that is what was left behind. Borrowed. */
static PyObject *finish_of(PyObject *how)
{
    for (Py_ssize_t number = 0; number < PyTuple_GET_SIZE(bodies); number++) {
        PyObject *pair = PyTuple_GET_ITEM(bodies, number);
        if (PyTuple_GET_ITEM(pair, 0) == how) return PyTuple_GET_ITEM(pair, 1);
    }
    return NULL;
}

/* The point at which a body stopped: a function, and the number of a place in it. Borrowed; NULL if Python is to see to it. */
static PyObject *point_of(PyObject *node, PyObject *resumes)
{
    PyObject *point = NULL;
    if (PyTuple_CheckExact(node)) {
        if (PyTuple_GET_SIZE(node) > 0) point = PyTuple_GET_ITEM(node, 0);
    } else if (PyUnicode_CheckExact(node)) {
        if ((point = PyDict_GetItemWithError(resumes, node)) == NULL) PyErr_Clear();
    }
    return point != NULL && PyTuple_CheckExact(point) && PyTuple_GET_SIZE(point) == 3 ? point : NULL;
}

/* Go on with one thing that was left behind, which is no effect written into another; `names` are its local names if they are known already. */
static long go_on_with(PyObject *resumes, PyObject *machine, PyObject *left, PyObject *stack, PyObject *names)
{
    PyObject *how = PyTuple_GET_ITEM(left, 0), *finish = finish_of(how), *node = NULL, *point = NULL, *pending = get_list(machine, machine_.pending);
    Py_ssize_t size = PyTuple_GET_SIZE(left);
    if ((finish != NULL && size == 11) || (how == unit && size == 7)) {
        node = PyTuple_GET_ITEM(left, size == 11 ? 10 : 5);
        point = point_of(node, resumes);
    }
    if (point == NULL || pending == NULL || (names == NULL && !PyDict_CheckExact(PyTuple_GET_ITEM(left, 2))))
        return ended_so(PyObject_Vectorcall(how, (PyObject *[]){machine, left, stack, names}, names == NULL ? 3 : 4, NULL));
    Py_INCREF(point), Py_INCREF(pending);
    PyObject *own = names == NULL ? PyDict_Copy(PyTuple_GET_ITEM(left, 2)) : Py_NewRef(names), *said = PyTuple_GET_ITEM(left, 3), *at, *made = NULL;
    set(machine, machine_.said, said);
    long ended = own == NULL ? -1 : ended_so(PyObject_Vectorcall(PyTuple_GET_ITEM(point, 0), (PyObject *[]){machine, own, PyTuple_GET_ITEM(point, 1), node}, 4, NULL));
    if (ended == 1) {
        if ((at = get(machine, machine_.at)) == NULL)
            PyErr_SetString(PyExc_AttributeError, "at");
        else if (size == 7)
            made = PACKED(unit, unit_frames, own, said, PyTuple_GET_ITEM(left, 4), at, PyTuple_GET_ITEM(left, 6));
        else
            made = PACKED(how, call_frames, own, said, PyTuple_GET_ITEM(left, 4), PyTuple_GET_ITEM(left, 5), PyTuple_GET_ITEM(left, 6),
                          PyTuple_GET_ITEM(left, 7), PyTuple_GET_ITEM(left, 8), PyTuple_GET_ITEM(left, 9), at);
        if (append(pending, made) < 0) ended = -1;
    } else if (ended >= 0 && size == 7) {
        if (ended == 2) {
            PyObject *done = PyObject_CallFunctionObjArgs(returned, machine, stack, NULL);
            ended = done == NULL ? -1 : 0;
            Py_XDECREF(done);
        }
    } else if (ended >= 0 && ended != 5) {
        PyObject *value = ended == 2 ? get(machine, machine_.value) : NULL;
        value = Py_NewRef(value == NULL ? Py_None : value);
        ended = ended_so(PyObject_CallFunctionObjArgs(finish, machine, left, stack, value, NULL));
        Py_DECREF(value);
    }
    Py_XDECREF(own), Py_DECREF(point), Py_DECREF(pending);
    return ended;
}

/* Go on with what was left behind. Effects that are written into the function of what is below them leave their names in `inner` for it to find. */
static long go_on(PyObject *resumes, PyObject *machine, PyObject *left, PyObject *stack, PyObject *names)
{
    long ended = -1;
    Py_INCREF(left), Py_XINCREF(names);
    while (PyTuple_GET_ITEM(left, 0) == spliced) {
        PyObject *inner = get_list(machine, machine_.inner);
        if (inner == NULL || (names == NULL && !PyDict_CheckExact(PyTuple_GET_ITEM(left, 2)))) break;
        Py_INCREF(inner);
        if (names == NULL) names = PyDict_Copy(PyTuple_GET_ITEM(left, 2));
        int failed = names == NULL || append(inner, PACKED(names, left)) < 0;
        Py_DECREF(inner);
        if (failed) goto done;
        Py_CLEAR(names);
        Py_ssize_t top = PyList_GET_SIZE(stack) - 1;
        PyObject *below = top < 0 ? NULL : PyList_GET_ITEM(stack, top);
        if (below == NULL || !PyTuple_CheckExact(below) || PyTuple_GET_SIZE(below) < 4) {
            PyErr_SetString(PyExc_TypeError, "there is nothing below an effect that is written into another");
            goto done;
        }
        Py_SETREF(left, Py_NewRef(below));
        if (PyList_SetSlice(stack, top, top + 1, NULL) < 0) goto done;
    }
    ended = go_on_with(resumes, machine, left, stack, names);
done:
    Py_DECREF(left), Py_XDECREF(names);
    return ended;
}

/* What `straight` knows: the engine, where its bodies can be gone on with, and how each sort of frame is taken a step further. */
enum { STRAIGHT_ENGINE, STRAIGHT_RESUMES, STRAIGHT_STEPS, STRAIGHT_PARTS };

/* What sort of frame something is, if it is a plain frame; else NULL. */
static PyObject *sort_of(PyObject *top)
{
    PyObject *sort = PyDict_CheckExact(top) ? PyDict_GetItemWithError(top, w_f) : NULL;
    if (sort == NULL) PyErr_Clear(); /* Python will find the same error, and raise it */
    return sort != NULL && PyUnicode_CheckExact(sort) ? Py_NewRef(sort) : NULL;
}

/* Whether somebody has to decide what is on top. */
static int is_question(PyObject *top)
{
    if (PyTuple_CheckExact(top)) return PyTuple_GET_SIZE(top) > 0 && PyTuple_GET_ITEM(top, 0) == choice;
    PyObject *sort = sort_of(top);
    int asks = sort != NULL && (PyUnicode_CompareWithASCIIString(sort, "choose") == 0 || PyUnicode_CompareWithASCIIString(sort, "offer") == 0);
    Py_XDECREF(sort);
    return asks;
}

/* Go on after a step that ended so, until somebody has to decide: the twin of `Compiled._go_on`, to which the rest is left as soon as something is not usual. */
static int until_decision(PyObject *self, PyObject *machine, PyObject *stack, PyObject *pending, long ended)
{
    PyObject *engine = PyTuple_GET_ITEM(self, STRAIGHT_ENGINE), *top, *step, *so, *taken, *result;
    long steps, most, last, more = 1;
    while (ended >= 0) {
        if (ended == 1) {
            Py_ssize_t size = PyList_GET_SIZE(stack), added = PyList_GET_SIZE(pending);
            if (get(machine, machine_.extra) != Py_None || get(machine, machine_.generic) != Py_False || added == 0) goto python;
            if (!is_number(get(machine, machine_.most_frames), &most) || size + added > most) goto python;
            top = Py_NewRef(PyList_GET_ITEM(pending, 0));
            int failed = PyList_Reverse(pending) < 0 || PyList_SetSlice(stack, size, size, pending) < 0 || emptied(pending) < 0;
            int asks = !failed && is_question(top);
            Py_DECREF(top);
            if (failed || asks) return failed ? -1 : 0;
            ended = 0;
        } else if (ended == 6) /* resuming.WAITING */
            return 0;
        else if (ended > 0) {
            if ((so = PyLong_FromLong(ended)) == NULL) return -1;
            ended = ended_so(PyObject_CallMethodObjArgs(engine, n_leave, machine, so, NULL));
            Py_DECREF(so);
            continue;
        }
        if (!get_number(machine, machine_.steps, &steps) || !is_number(get(machine, machine_.last_step), &last) || steps + more > last) goto python;
        if (set_number(machine, machine_.steps, steps + more) < 0) return -1;
        if (PyList_GET_SIZE(stack) == 0) return 0;
        more = 0;
        top = PyList_GET_ITEM(stack, PyList_GET_SIZE(stack) - 1);
        if (PyTuple_CheckExact(top)) {
            if (PyTuple_GET_SIZE(top) < 4) goto python;
            Py_INCREF(top);
            if (PyList_SetSlice(stack, PyList_GET_SIZE(stack) - 1, PyList_GET_SIZE(stack), NULL) == 0)
                ended = go_on(PyTuple_GET_ITEM(self, STRAIGHT_RESUMES), machine, top, stack, NULL);
            else
                ended = -1;
        } else {
            Py_INCREF(top);
            PyObject *sort = sort_of(top);
            step = sort == NULL ? NULL : Py_XNewRef(PyDict_GetItemWithError(PyTuple_GET_ITEM(self, STRAIGHT_STEPS), sort));
            Py_XDECREF(sort);
            if (step == NULL) {
                Py_DECREF(top);
                goto python;
            }
            ended = ended_so(PyObject_CallFunctionObjArgs(step, machine, top, NULL));
            Py_DECREF(step);
        }
        Py_DECREF(top);
        more = 1;
    }
    return -1;
python:
    PyErr_Clear();
    so = PyLong_FromLong(ended), taken = PyLong_FromLong(more);
    result = so == NULL || taken == NULL ? NULL : PyObject_CallMethodObjArgs(engine, n_go_on, machine, so, taken, NULL);
    Py_XDECREF(so), Py_XDECREF(taken), Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

/* -- choosing: the straight way of `Game.choose`, with `Compiled.answered` and `Game._ask` */

/* A choice that goes the straight way. */
typedef struct {
    PyObject *machine, *state, *stack, *log, *choices, *past, *listed, *one, *thing, *identity, *label, *below;
    long player, length;
} Turn;

/* Whether a choice is a usual one. What is known of it then is kept. */
static int is_usual(PyObject *game, PyObject *option, Turn *turn)
{
    PyObject *asked, *listed, *machine, *state, *script, *stack, *log, *below, *one, *thing, *face, *answers, *given, *budget;
    long number, thing_number, length, most, player;
    if (Py_TYPE(game) != Game || !is_number(option, &number)) return 0;
    asked = get_list(game, game_.asked), listed = get_a(&PyTuple_Type, game, game_.listed), machine = get_a(Machine, game, game_.machine);
    if (asked == NULL || listed == NULL || machine == NULL || PyTuple_GET_SIZE(listed) != 6 || number < 0 || number >= PyList_GET_SIZE(asked)) return 0;
    state = get_a(State, machine, machine_.state), script = get_a(Script, machine, machine_.script);
    if (state == NULL || script == NULL || (stack = get_list(state, state_.stack)) == NULL || PyList_GET_SIZE(stack) < 2) return 0;
    if (PyList_GET_ITEM(stack, PyList_GET_SIZE(stack) - 1) != PyTuple_GET_ITEM(listed, 0)) return 0;
    below = PyList_GET_ITEM(stack, PyList_GET_SIZE(stack) - 2);
    if (!PyTuple_CheckExact(below) || PyTuple_GET_SIZE(below) < 4 || !PyDict_CheckExact(PyTuple_GET_ITEM(below, 2))) return 0;
    answers = get_list(state, state_.answers), given = get_list(script, script_.answers);
    if (get(script, script_.ask) != Py_False || given == NULL || PyList_GET_SIZE(given) || answers == NULL || PyList_GET_SIZE(answers)) return 0;
    budget = get_a(Budget, machine, machine_.budget), log = get_list(state, state_.log);
    if (budget == NULL || log == NULL || !is_number(get(budget, budget_.log), &most) || !is_number(get(state, state_.log_length), &length)) return 0;
    if (length < 0 || length >= most || length > PyList_GET_SIZE(log)) return 0;
    if (!is_number(PyTuple_GET_ITEM(listed, 2), &player) || player < 0 || player > 60) return 0;
    one = PyTuple_GET_ITEM(listed, 4), thing = PyList_GET_ITEM(asked, number);
    if (is_number(thing, &thing_number)) {
        PyObject *faces = Py_TYPE(one) == Choosing ? get_list(one, choosing_.faces) : NULL;
        if (faces == NULL || thing_number < 0 || thing_number >= PyList_GET_SIZE(faces)) return 0;
        face = PyList_GET_ITEM(faces, thing_number);
    } else if (Py_TYPE(thing) == Option && PyTuple_GET_SIZE(thing) == 4)
        face = PyTuple_GET_ITEM(thing, 3);
    else
        return 0;
    if (Py_TYPE(face) != Shown || get(face, shown_.id) == NULL || get(face, shown_.label) == NULL) return 0;
    if (get_list(game, game_.choices) == NULL || get_list(game, game_.past) == NULL || get_list(game, game_.future) == NULL) return 0;
    *turn = (Turn){
        Py_NewRef(machine), Py_NewRef(state), Py_NewRef(stack), Py_NewRef(log), Py_NewRef(get(game, game_.choices)), Py_NewRef(get(game, game_.past)),
        Py_NewRef(listed), Py_NewRef(one), Py_NewRef(thing), Py_NewRef(get(face, shown_.id)), Py_NewRef(get(face, shown_.label)), Py_NewRef(below), player,
        length,
    };
    return 1;
}

static void let_go(Turn *turn)
{
    Py_DECREF(turn->machine), Py_DECREF(turn->state), Py_DECREF(turn->stack), Py_DECREF(turn->log), Py_DECREF(turn->choices), Py_DECREF(turn->past);
    Py_DECREF(turn->listed), Py_DECREF(turn->one), Py_DECREF(turn->thing), Py_DECREF(turn->identity), Py_DECREF(turn->label);
    Py_DECREF(turn->below);
}

/* This moment, to be gone back to: see `State.moment`. NULL without an error if something in it is strange. */
static PyObject *moment_of(Turn *turn)
{
    static const Py_ssize_t *const KEPT[] = {
        &state_.random, &state_.log_length, &state_.installed, &state_.once, &state_.outcomes, &state_.answers, &state_.loose, &state_.ended,
        &state_.version, &state_.installs,
    };
    PyObject *journal = get_list(turn->state, state_.journal), *parts[14], *made = NULL;
    if (journal == NULL) return NULL;
    parts[0] = PyLong_FromSsize_t(PyList_GET_SIZE(journal));
    parts[1] = PyList_AsTuple(turn->stack);
    parts[12] = PyLong_FromSsize_t(PyList_GET_SIZE(turn->choices));
    parts[13] = nothing;
    int whole = parts[0] != NULL && parts[1] != NULL && parts[12] != NULL;
    for (int number = 0; number < 10; number++) whole = whole && (parts[number + 2] = get(turn->state, *KEPT[number])) != NULL;
    if (whole) made = packed(14, parts);
    Py_XDECREF(parts[0]), Py_XDECREF(parts[1]), Py_XDECREF(parts[12]);
    return made;
}

/* Write the choice to the log. */
static int note(Turn *turn)
{
    PyObject *public, *said = Py_TYPE(turn->one) == Choosing ? Py_XNewRef(get(turn->one, choosing_.prompted)) : PyObject_GetAttr(turn->one, n_prompted);
    int prompted = said == NULL ? -1 : PyObject_IsTrue(said);
    Py_XDECREF(said);
    if (prompted < 0) {
        if (!PyErr_Occurred()) PyErr_SetObject(PyExc_AttributeError, n_prompted);
        return -1;
    }
    if (!PyLong_CheckExact(turn->thing)) {
        public = Py_NewRef(Py_True);
        prompted = prompted || PyTuple_GET_ITEM(turn->thing, 2) == Py_None;
    } else if (get(turn->one, choosing_.open) == Py_True)
        public = Py_NewRef(Py_True);
    else {
        PyObject *seers = PyObject_CallMethodOneArg(turn->machine, n_seers_of, turn->thing), *everyone = get(turn->one, choosing_.everyone);
        int all = seers == NULL || everyone == NULL ? -1 : PyObject_RichCompareBool(seers, everyone, Py_EQ);
        Py_XDECREF(seers);
        if (all < 0) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_AttributeError, "everyone");
            return -1;
        }
        public = PyBool_FromLong(all);
    }
    PyObject *bit = PyLong_FromLongLong(1LL << turn->player), *prompt = prompted ? PyTuple_GET_ITEM(turn->listed, 3) : Py_None, *entry = NULL;
    if (bit != NULL)
        entry = PACKED(w_choice, PyTuple_GET_ITEM(turn->below, 3), PyTuple_GET_ITEM(turn->listed, 2), turn->identity, turn->label, prompt, bit,
                       public, Py_False);
    Py_XDECREF(bit), Py_DECREF(public);
    if (PyList_GET_SIZE(turn->log) > turn->length) { /* clones share it */
        PyObject *own = PyList_GetSlice(turn->log, 0, turn->length);
        if (own == NULL) {
            Py_XDECREF(entry);
            return -1;
        }
        give(turn->state, state_.log, own);
    }
    PyObject *log = get_list(turn->state, state_.log);
    if (log == NULL) {
        Py_XDECREF(entry);
        PyErr_SetString(PyExc_AttributeError, "log");
        return -1;
    }
    return append(log, entry);
}

/* Whether something is there and empty or false. */
static inline int is_off(PyObject *value) { return value == Py_False || (value != NULL && PyDict_CheckExact(value) && PyDict_GET_SIZE(value) == 0); }

/* Forget what an earlier run may have left to know about who shares frames. */
static int unshared(PyObject *machine)
{
    PyObject *owned, *fresh;
    if (is_off(get(machine, machine_.private)) && is_off(get(machine, machine_.owned)) && is_off(get(machine, machine_.fresh))) return 0;
    if ((owned = PyDict_New()) == NULL) return -1;
    if ((fresh = PyDict_New()) == NULL) {
        Py_DECREF(owned);
        return -1;
    }
    set(machine, machine_.private, Py_False);
    give(machine, machine_.owned, owned), give(machine, machine_.fresh, fresh);
    return 0;
}

/* Begin with what was chosen: give one component to who asked, and go on with that; or whatever else `Compiled._begin` does. */
static long begun_with(PyObject *self, Turn *turn)
{
    PyObject *stack = turn->stack, *name = Py_TYPE(turn->one) == Choosing ? get(turn->one, choosing_.name) : NULL;
    Py_ssize_t size = PyList_GET_SIZE(stack);
    if (name == NULL || get(turn->one, choosing_.single) != Py_True || size < 2 || PyList_GET_ITEM(stack, size - 2) != turn->below)
        return ended_so(PyObject_CallMethodObjArgs(PyTuple_GET_ITEM(self, STRAIGHT_ENGINE), n_begin, turn->machine, turn->one, turn->thing, NULL));
    Py_INCREF(name);
    PyObject *names = PyDict_Copy(PyTuple_GET_ITEM(turn->below, 2));
    long ended = -1;
    if (names != NULL && PyDict_SetItem(names, name, PyLong_CheckExact(turn->thing) ? turn->thing : Py_None) == 0
        && PyList_SetSlice(stack, size - 2, size, NULL) == 0)
        ended = go_on(PyTuple_GET_ITEM(self, STRAIGHT_RESUMES), turn->machine, turn->below, stack, names);
    Py_DECREF(name), Py_XDECREF(names);
    return ended;
}

/* Carry out the answer, up to the next decision: the twin of `Compiled.answered`. */
static int answered(PyObject *self, Turn *turn)
{
    PyObject *engine = PyTuple_GET_ITEM(self, STRAIGHT_ENGINE), *machine = turn->machine, *result;
    PyObject *pending = get_list(machine, machine_.pending), *inner = get_list(machine, machine_.inner);
    PyObject *log = get_list(turn->state, state_.log), *note;
    long steps, soon, much, ended = -1;
    if (pending == NULL || inner == NULL || log == NULL || !get_number(machine, machine_.steps, &steps) || !get_number(machine, machine_.soon, &soon)
        || !is_number(get(machine, machine_.much), &much)) {
        result = PyObject_CallMethodObjArgs(engine, n_answered, machine, turn->one, turn->thing, NULL);
        Py_XDECREF(result);
        return result == NULL ? -1 : 0;
    }
    Py_INCREF(pending), Py_INCREF(inner), Py_INCREF(log);
    set(machine, machine_.looked, zero), set(machine, machine_.depth, zero), set(machine, machine_.begun, get(machine, machine_.steps));
    note = PyList_GET_SIZE(log) < much ? PyObject_GetAttr(log, n_append) : PyObject_CallOneArg(counted, machine);
    if (note != NULL) {
        give(machine, machine_.note, note);
        if (unshared(machine) == 0 && set_number(machine, machine_.last_step, steps + soon) == 0) ended = begun_with(self, turn);
    }
    if (ended >= 0) ended = until_decision(self, machine, turn->stack, pending, ended);
    PyObject *error = ended < 0 ? caught() : NULL;
    if (error != NULL && PyObject_TypeCheck(error, (PyTypeObject *)RulesError)) {
        if ((result = PyObject_CallMethodObjArgs(engine, n_place, machine, error, NULL)) == NULL) Py_SETREF(error, caught());
        Py_XDECREF(result);
    }
    set(machine, machine_.said, Py_None), set(machine, machine_.local, Py_None), set(machine, machine_.note, Py_None);
    if (set_number(turn->state, state_.log_length, (long)PyList_GET_SIZE(log)) < 0 || emptied(pending) < 0 || emptied(inner) < 0) {
        if (error != NULL) PyErr_Clear();
        ended = -1;
    }
    Py_DECREF(pending), Py_DECREF(inner), Py_DECREF(log);
    if (error != NULL) raise_again(error);
    return ended < 0 ? -1 : 0;
}

/* Whether what is asked now may be asked as it was listed; -1 on an error. */
static int is_plain(PyObject *machine, PyObject *listed, PyObject *one)
{
    PyObject *costly = Py_TYPE(one) == Choosing ? Py_XNewRef(get(one, choosing_.costly)) : PyObject_GetAttr(one, n_costly), *found;
    int is_costly = costly == NULL ? -1 : PyObject_IsTrue(costly), more;
    Py_XDECREF(costly);
    if (is_costly < 0) {
        if (!PyErr_Occurred()) PyErr_SetObject(PyExc_AttributeError, n_costly);
        return -1;
    }
    if (!is_costly || PyList_GET_SIZE(PyTuple_GET_ITEM(listed, 1)) < 2) return 1;
    found = PyObject_CallOneArg(paying, machine);
    more = found == NULL ? -1 : PyObject_IsTrue(found);
    Py_XDECREF(found);
    return more < 0 ? -1 : !more;
}

/* Work out what has to be decided now. */
static int ask(PyObject *game, PyObject *machine)
{
    PyObject *listed = get_a(&PyTuple_Type, machine, machine_.listed), *state = get_a(State, machine, machine_.state), *result;
    PyObject *stack = state == NULL ? NULL : get_list(state, state_.stack);
    long player;
    int plain = 0;
    if (listed != NULL && stack != NULL && PyList_GET_SIZE(stack) && PyTuple_GET_SIZE(listed) == 6
        && PyTuple_GET_ITEM(listed, 0) == PyList_GET_ITEM(stack, PyList_GET_SIZE(stack) - 1) && PyList_CheckExact(PyTuple_GET_ITEM(listed, 1))
        && is_number(PyTuple_GET_ITEM(listed, 2), &player) && player >= 0 && player < 1000) {
        Py_INCREF(listed);
        PyObject *one = PyTuple_GET_ITEM(listed, 4), *kind = NULL, *from_one = NULL, *decision = NULL;
        plain = is_plain(machine, listed, one);
        if (plain > 0) {
            kind = Py_TYPE(one) == Choosing ? Py_NewRef(w_choose) : PyObject_GetAttr(one, n_kind);
            from_one = PyLong_FromLong(player + 1);
            if (kind != NULL && from_one != NULL)
                decision = PyObject_Vectorcall(Decision, (PyObject *[]){from_one, kind, PyTuple_GET_ITEM(listed, 3), PyTuple_GET_ITEM(listed, 5)}, 4, NULL);
            Py_XDECREF(kind), Py_XDECREF(from_one);
            if (decision == NULL)
                plain = -1;
            else {
                set(game, game_.asked, PyTuple_GET_ITEM(listed, 1));
                set(game, game_.listed, listed);
                give(game, game_.decision, decision);
            }
        }
        Py_DECREF(listed);
    }
    if (plain != 0) return plain < 0 ? -1 : 0;
    result = PyObject_CallMethodNoArgs(game, n_ask);
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

/* Remember the choice that was made. */
static int remember(Turn *turn)
{
    PyObject *player = PyLong_FromLong(turn->player + 1);
    int result = player == NULL ? -1 : append(turn->choices, PACKED(player, turn->identity));
    Py_XDECREF(player);
    return result;
}

/* Something went wrong: `Game._fail` sees to it that the game is as before, and raises what the caller is told. */
static void fail(PyObject *game, PyObject *moment, PyObject *log)
{
    PyObject *error = caught(), *handled = PyErr_GetHandledException();
    PyErr_SetHandledException(error);
    PyObject *result = PyObject_CallMethodObjArgs(game, n_fail, error, moment, log, NULL);
    PyErr_SetHandledException(handled);
    if (result != NULL) raise_again(Py_NewRef(error));
    Py_XDECREF(result), Py_XDECREF(handled), Py_DECREF(error);
}

/* Take an option by its position, if that is a usual choice: True. False: nothing has been done. */
static PyObject *straight(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    Turn turn;
    PyObject *game, *moment, *result = NULL, *future;
    if (count != 2) {
        PyErr_SetString(PyExc_TypeError, "straight takes a game and an option");
        return NULL;
    }
    if (!is_usual(game = args[0], args[1], &turn)) Py_RETURN_FALSE;
    if ((moment = moment_of(&turn)) == NULL) {
        let_go(&turn);
        return PyErr_Occurred() ? NULL : Py_NewRef(Py_False);
    }
    set(turn.machine, machine_.here, Py_None);
    if (note(&turn) < 0 || answered(self, &turn) < 0 || ask(game, turn.machine) < 0 || remember(&turn) < 0) {
        fail(game, moment, turn.log);
        goto done;
    }
    if (get(game, game_.automatic) != Py_False) {
        PyObject *gone_on = PyObject_CallMethodObjArgs(game, n_go_on_or_back, moment, turn.log, NULL);
        if (gone_on == NULL) goto done;
        Py_DECREF(gone_on);
    }
    if ((future = get_list(game, game_.future)) != NULL && emptied(future) < 0) goto done;
    if (PyList_Append(turn.past, moment) == 0) result = Py_NewRef(Py_True);
done:
    Py_DECREF(moment);
    let_go(&turn);
    return result;
}

/* -- copying: the twins of `Game.clone` and `game.begun` */

/* An object with the same in all its slots as another. */
static PyObject *alike(const Layout *layout, PyObject *other)
{
    PyTypeObject *type = *layout->type;
    PyObject *made = type->tp_alloc(type, 0);
    for (Py_ssize_t number = 0; made != NULL && number < layout->count; number++)
        give(made, layout->offset[number], Py_XNewRef(get(other, layout->offset[number])));
    return made;
}

/* Have lists of one's own, with the same in them as those one shares, or empty; 0 if something else is there than a list. */
static int has_own(PyObject *made, int empty, const Py_ssize_t *const *offsets, size_t count)
{
    for (size_t number = 0; number < count; number++) {
        PyObject *list = get_list(made, *offsets[number]), *own;
        if (list == NULL || (own = empty ? PyList_New(0) : PyList_GetSlice(list, 0, PyList_GET_SIZE(list))) == NULL) return 0;
        give(made, *offsets[number], own);
    }
    return 1;
}
#define HAS_OWN(made, empty, ...) \
    has_own(made, empty, (const Py_ssize_t *[]){__VA_ARGS__}, sizeof((const Py_ssize_t *[]){__VA_ARGS__}) / sizeof(Py_ssize_t *))

/* A machine like one that has not run yet, for the same world and with the same bounds as another. */
static PyObject *machine_like(PyObject *other)
{
    static const Py_ssize_t *const SAME[] = {
        &machine_.world, &machine_.budget, &machine_.most_looks, &machine_.most_frames, &machine_.soon, &machine_.much,
    };
    PyObject *made = alike(&of_machine, blank), *own;
    for (Py_ssize_t number = 0; made != NULL && number < of_machine.count; number++) {
        PyObject *part = get(made, of_machine.offset[number]);
        if (part == NULL || !(PyList_CheckExact(part) || PyDict_CheckExact(part))) continue;
        if ((own = PyList_CheckExact(part) ? PyList_New(0) : PyDict_New()) == NULL)
            Py_CLEAR(made);
        else
            give(made, of_machine.offset[number], own);
    }
    for (size_t number = 0; made != NULL && number < sizeof SAME / sizeof *SAME; number++) give(made, *SAME[number], Py_XNewRef(get(other, *SAME[number])));
    return made;
}

/* A game of its own that goes on from where another is; NULL if that is not usual, perhaps with an error. */
static PyObject *copy_of(PyObject *game)
{
    PyObject *machine = Py_TYPE(game) == Game ? get_a(Machine, game, game_.machine) : NULL, *state, *script, *installed, *result = NULL;
    if (machine == NULL || (state = get_a(State, machine, machine_.state)) == NULL || (script = get_a(Script, machine, machine_.script)) == NULL) return NULL;
    if ((installed = get_list(state, state_.installed)) == NULL || PyList_GET_SIZE(installed)) return NULL;
    Py_INCREF(machine), Py_INCREF(state), Py_INCREF(script);
    PyObject *made = alike(&of_game, game), *its_state = alike(&of_state, state), *its_script = alike(&of_script, script), *its_machine = machine_like(machine);
    if (made != NULL && its_state != NULL && its_script != NULL && its_machine != NULL && HAS_OWN(made, 0, &game_.choices)
        && HAS_OWN(made, 1, &game_.past, &game_.future) && HAS_OWN(its_script, 0, &script_.given, &script_.answers)
        && HAS_OWN(its_state, 0, &state_.values, &state_.where, &state_.members, &state_.known, &state_.stack)
        && HAS_OWN(its_state, 1, &state_.journal, &state_.installed)) {
        set(its_machine, machine_.state, its_state), set(its_machine, machine_.script, its_script), set(made, game_.machine, its_machine);
        result = Py_NewRef(made);
    }
    Py_DECREF(machine), Py_DECREF(state), Py_DECREF(script);
    Py_XDECREF(made), Py_XDECREF(its_state), Py_XDECREF(its_script), Py_XDECREF(its_machine);
    return result;
}

/* A copy of a game, or None: Python is to make it. */
static PyObject *copied(PyObject *module, PyObject *game)
{
    PyObject *made = bodies == NULL ? NULL : copy_of(game);
    return made == NULL && !PyErr_Occurred() ? Py_NewRef(Py_None) : made;
}

/* The first state of the random generator for a seed: `chance.start`. */
static PyObject *first_random(PyObject *seed)
{
    unsigned long long bits = PyLong_AsUnsignedLongLongMask(seed);
    if (PyErr_Occurred()) return NULL;
    bits = bits * 0x9E3779B97F4A7C15ULL + 0xD1B54A32D192ED03ULL + 0x9E3779B97F4A7C15ULL;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ULL;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBULL;
    return PyLong_FromUnsignedLongLong(bits ^ (bits >> 31));
}

/* A game for rules and a seed that begins like another, or None: Python is to make it. */
static PyObject *begun(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (count != 3 || bodies == NULL || !PyLong_CheckExact(args[2])) Py_RETURN_NONE;
    PyObject *random = first_random(args[2]), *made = random == NULL ? NULL : copy_of(args[0]);
    if (made == NULL) {
        Py_XDECREF(random);
        return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
    }
    set(made, game_.rules, args[1]), set(made, game_.seed, args[2]);
    give(get(get(made, game_.machine), machine_.state), state_.random, random);
    return made;
}

/* -- the module */

static PyMethodDef PUT = {"put", (PyCFunction)(void (*)(void))put, METH_FASTCALL, NULL};
static PyMethodDef ASSIGN = {"assign", (PyCFunction)(void (*)(void))assign, METH_FASTCALL, NULL};
static PyMethodDef TELL = {"tell", (PyCFunction)(void (*)(void))tell, METH_FASTCALL, NULL};
static PyMethodDef STRAIGHT = {"straight", (PyCFunction)(void (*)(void))straight, METH_FASTCALL, NULL};

/* A function that knows something; `right` says whether what it is to know has the right shape. */
static PyObject *knowing(PyMethodDef *method, PyObject *const *args, Py_ssize_t count, int right)
{
    if (!right || bodies == NULL) return PyErr_Format(PyExc_TypeError, "a twin of '%s' cannot be made, or not of that", method->ml_name);
    PyObject *self = packed(count, args), *function = self == NULL ? NULL : PyCFunction_New(method, self);
    Py_XDECREF(self);
    return function;
}

static int is_tuple_like(PyObject *value, PyObject *other) { return PyTuple_CheckExact(value) && PyTuple_GET_SIZE(value) == PyTuple_GET_SIZE(other); }

static PyObject *make_put(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    int right = count == PUT_PARTS && PyTuple_CheckExact(args[PUT_ROOMS]) && PyBytes_CheckExact(args[PUT_ODD]) && PyLong_CheckExact(args[PUT_EVERYONE]);
    if (right && args[PUT_SIGHT] != Py_None)
        right = is_tuple_like(args[PUT_SIGHT], args[PUT_ROOMS]) && is_tuple_like(args[PUT_HOLDERS], args[PUT_ROOMS]) && PyBytes_CheckExact(args[PUT_HIDES])
            && is_tuple_like(args[PUT_AROUND], args[PUT_ROOMS]);
    return knowing(&PUT, args, count, right);
}

static PyObject *make_assign(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    int right = count == ASSIGN_PARTS && PyDict_CheckExact(args[ASSIGN_SLOTS]) && PyTuple_CheckExact(args[ASSIGN_SIGHT]);
    PyObject *component, *slot;
    Py_ssize_t at = 0;
    while (right && PyDict_Next(args[ASSIGN_SLOTS], &at, &component, &slot)) right = PyTuple_CheckExact(slot) && PyTuple_GET_SIZE(slot) == 5;
    return knowing(&ASSIGN, args, count, right);
}

static PyObject *make_tell(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    int right = count == TELL_PARTS && (args[TELL_HIDES] == Py_None || (PyBytes_CheckExact(args[TELL_HIDES]) && PyBytes_CheckExact(args[TELL_CLEAR])));
    return knowing(&TELL, args, count, right);
}

static PyObject *make_straight(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    return knowing(&STRAIGHT, args, count, count == STRAIGHT_PARTS && PyDict_CheckExact(args[STRAIGHT_RESUMES]) && PyDict_CheckExact(args[STRAIGHT_STEPS]));
}

/* Where a slot lies in objects of a class; -1 if it is none. */
static Py_ssize_t offset_of(PyTypeObject *type, const char *name)
{
    PyObject *slot = PyObject_GetAttrString((PyObject *)type, name);
    if (slot == NULL) return -1;
    PyMemberDef *member = Py_TYPE(slot) == &PyMemberDescr_Type ? ((PyMemberDescrObject *)slot)->d_member : NULL;
    Py_ssize_t offset = member != NULL && member->type == T_OBJECT_EX && PyDescr_TYPE(slot) == type ? member->offset : -1;
    Py_DECREF(slot);
    if (offset < 0) PyErr_Format(PyExc_TypeError, "'%s' is no slot of %s", name, type->tp_name);
    return offset;
}

/* Find all slots of a class that has nothing else. */
static int laid_out(Layout *layout, PyTypeObject *type)
{
    PyObject *names = PyObject_GetAttrString((PyObject *)type, "__slots__");
    int right = names != NULL && PyTuple_CheckExact(names) && PyTuple_GET_SIZE(names) <= MOST_SLOTS && type->tp_dictoffset == 0;
    layout->count = 0;
    for (Py_ssize_t number = 0; right && number < PyTuple_GET_SIZE(names); number++) {
        const char *name = PyUnicode_AsUTF8(PyTuple_GET_ITEM(names, number));
        right = name != NULL && (layout->offset[layout->count++] = offset_of(type, name)) >= 0;
    }
    Py_XDECREF(names);
    if (!right && !PyErr_Occurred()) PyErr_Format(PyExc_TypeError, "%s has other than slots, or too many", type->tp_name);
    return right ? 0 : -1;
}

/* The class that will lie somewhere, among the parts that were found. */
static PyTypeObject *class_in(PyObject **found, PyTypeObject **place)
{
    for (size_t number = 0; number < TYPES; number++)
        if (PARTS[number].place == (PyObject **)place) return (PyTypeObject *)found[number];
    return NULL;
}

/* Learn about the Python side: a dictionary of its classes and functions. Once for all: another interpreter in the same process has to do without. */
static PyObject *setup(PyObject *module, PyObject *parts)
{
    PyObject *found[sizeof PARTS / sizeof *PARTS];
    if (!PyDict_CheckExact(parts)) return PyErr_Format(PyExc_TypeError, "setup takes a dictionary");
    for (size_t number = 0; number < sizeof PARTS / sizeof *PARTS; number++) {
        if ((found[number] = PyDict_GetItemString(parts, PARTS[number].name)) == NULL) return PyErr_Format(PyExc_KeyError, "%s", PARTS[number].name);
        if (number < TYPES && !PyType_Check(found[number])) return PyErr_Format(PyExc_TypeError, "%s is no class", PARTS[number].name);
        if (bodies != NULL && found[number] != *PARTS[number].place && PARTS[number].place != &blank) return PyErr_Format(PyExc_RuntimeError, "the twins are of somebody else");
    }
    if (bodies != NULL) Py_RETURN_NONE;
    PyObject *pairs = found[sizeof PARTS / sizeof *PARTS - 1];
    int right = PyTuple_CheckExact(pairs);
    for (Py_ssize_t number = 0; right && number < PyTuple_GET_SIZE(pairs); number++)
        right = PyTuple_CheckExact(PyTuple_GET_ITEM(pairs, number)) && PyTuple_GET_SIZE(PyTuple_GET_ITEM(pairs, number)) == 2;
    if (!right) return PyErr_Format(PyExc_TypeError, "bodies are pairs");
    if (!PyType_IsSubtype(class_in(found, &Option), &PyTuple_Type)) return PyErr_Format(PyExc_TypeError, "options are tuples");
    for (size_t number = 0; number < sizeof SLOTS / sizeof *SLOTS; number++)
        if ((*SLOTS[number].offset = offset_of(class_in(found, SLOTS[number].type), SLOTS[number].name)) < 0) return NULL;
    Layout *layouts[] = {&of_game, &of_machine, &of_state, &of_script};
    for (size_t number = 0; number < sizeof layouts / sizeof *layouts; number++)
        if (laid_out(layouts[number], class_in(found, layouts[number]->type)) < 0) return NULL;
    if (Py_TYPE(PyDict_GetItemString(parts, "blank")) != class_in(found, &Machine)) return PyErr_Format(PyExc_TypeError, "blank is no machine");
    for (size_t number = 0; number < sizeof PARTS / sizeof *PARTS; number++) *PARTS[number].place = Py_NewRef(found[number]); /* bodies last: it is done */
    Py_RETURN_NONE;
}

static PyMethodDef METHODS[] = {
    {"setup", setup, METH_O, "Learn about the Python side."},
    {"ask_one", (PyCFunction)(void (*)(void))ask_one, METH_FASTCALL, "The twin of `running.ask_one`."},
    {"put", (PyCFunction)(void (*)(void))make_put, METH_FASTCALL, "Make a twin of a function that `moving.putting` made."},
    {"assign", (PyCFunction)(void (*)(void))make_assign, METH_FASTCALL, "Make a twin of a function that `moving.assigning` made."},
    {"tell", (PyCFunction)(void (*)(void))make_tell, METH_FASTCALL, "Make a twin of a function that `moving.telling` made."},
    {"copied", copied, METH_O, "The twin of `Game.clone`."},
    {"begun", (PyCFunction)(void (*)(void))begun, METH_FASTCALL, "The twin of `game.begun`."},
    {"straight", (PyCFunction)(void (*)(void))make_straight, METH_FASTCALL, "Make the straight way of `Game.choose` for an engine."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "twins", "Twins of the functions that every decision goes through.", -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_twins(void)
{
    if (zero == NULL) {
        for (size_t number = 0; number < sizeof WORDS / sizeof *WORDS; number++)
            if ((*WORDS[number].place = PyUnicode_InternFromString(WORDS[number].text)) == NULL) return NULL;
        if ((nothing = PyTuple_New(0)) == NULL || (zero = PyLong_FromLong(0)) == NULL) return NULL;
    }
    return PyModule_Create(&MODULE);
}
