/* Copying, and chance: twins of `Game.clone`, `game.begun` and `chance.permutation`. */

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
        &machine_.world, &machine_.budget, &machine_.most_looks, &machine_.most_deep, &machine_.most_frames, &machine_.soon, &machine_.much,
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
        && HAS_OWN(made, 1, &game_.past, &game_.future) && HAS_OWN(its_script, 0, &script_.answers)
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

/* The random bits that belong to a state of the generator: `chance.advance`. */
static inline unsigned long long stirred(unsigned long long bits)
{
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ULL;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBULL;
    return bits ^ (bits >> 31);
}

/* The first state of the random generator for a seed: `chance.start`. */
static PyObject *first_random(PyObject *seed)
{
    unsigned long long bits = PyLong_AsUnsignedLongLongMask(seed);
    if (PyErr_Occurred()) return NULL;
    return PyLong_FromUnsignedLongLong(stirred(bits * 0x9E3779B97F4A7C15ULL + 0xD1B54A32D192ED03ULL + 0x9E3779B97F4A7C15ULL));
}

/* The next state of the generator and a random order: the twin of `chance.permutation`. */
static PyObject *permutation(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    long length;
    if (count != 2 || !PyLong_CheckExact(args[0]) || !is_number(args[1], &length) || length < 0 || length > 1000000) goto python;
    unsigned long long state = PyLong_AsUnsignedLongLong(args[0]), bits;
    if (PyErr_Occurred()) {
        PyErr_Clear();
        goto python;
    }
    PyObject *order = PyList_New(length), *each;
    for (long number = 0; order != NULL && number < length; number++) {
        if ((each = PyLong_FromLong(number)) == NULL)
            Py_CLEAR(order);
        else
            PyList_SET_ITEM(order, number, each);
    }
    if (order == NULL) return NULL;
    for (long last = length - 1; last > 0; last--) {
        state += 0x9E3779B97F4A7C15ULL;
        bits = stirred(state);
        if (bits > 0xFFFFFFFFFFFFFFFFULL - (unsigned long long)length) { /* so rare that it does not matter how long it takes */
            Py_DECREF(order);
            goto python;
        }
        long chosen = (long)(bits % (unsigned long long)(last + 1));
        each = PyList_GET_ITEM(order, last);
        PyList_SET_ITEM(order, last, PyList_GET_ITEM(order, chosen));
        PyList_SET_ITEM(order, chosen, each);
    }
    PyObject *after = PyLong_FromUnsignedLongLong(state), *result = after == NULL ? NULL : PACKED(after, order);
    Py_XDECREF(after), Py_DECREF(order);
    return result;
python:
    return in_python(permutation_in_python, args, count);
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
