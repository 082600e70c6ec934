/* Moving, setting, telling: twins of the functions that `play/moving.py` makes for a world. */

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

/* What `together` knows about a world: the first four are those of `put`; and who sees into each place. */
enum { TOGETHER_SIGHT = PUT_LOW + 1, TOGETHER_PARTS };

/* Whether things are several that lie in one place and are not odd; `marks` has a place for every component, and says then which they are. */
static int are_alike(PyObject *things, PyObject *where, PyObject *known, PyObject *odd, long before, char *marks)
{
    long thing, place;
    for (Py_ssize_t number = 0; number < PyList_GET_SIZE(things); number++) {
        if (!is_number(PyList_GET_ITEM(things, number), &thing) || thing < 0 || thing >= PyBytes_GET_SIZE(odd) || thing >= PyList_GET_SIZE(where)) return 0;
        if (marks[thing] || PyBytes_AS_STRING(odd)[thing] || thing >= PyList_GET_SIZE(known)) return 0;
        if (!is_number(PyList_GET_ITEM(where, thing), &place) || place != before) return 0;
        marks[thing] = 1;
    }
    return 1;
}

/* What is left of some components without those that are marked; NULL without an error if something is strange. */
static PyObject *unmarked(PyObject *things, const char *marks, Py_ssize_t most, Py_ssize_t count)
{
    Py_ssize_t left = 0;
    PyObject *made = count < 0 ? NULL : PyTuple_New(count);
    for (Py_ssize_t number = 0; made != NULL && number < PyTuple_GET_SIZE(things); number++) {
        long thing;
        PyObject *each = PyTuple_GET_ITEM(things, number);
        if (!is_number(each, &thing) || thing < 0 || thing >= most || (!marks[thing] && left >= count))
            Py_CLEAR(made);
        else if (!marks[thing])
            PyTuple_SET_ITEM(made, left++, Py_NewRef(each));
    }
    if (made != NULL && left != count) Py_CLEAR(made);
    return made;
}

/* Things that lie in a place, with more below or above them. */
static PyObject *with_all(PyObject *there, PyObject *things, int first)
{
    Py_ssize_t old = PyTuple_GET_SIZE(there), more = PyList_GET_SIZE(things);
    PyObject *made = PyTuple_New(old + more);
    if (made == NULL) return NULL;
    for (Py_ssize_t number = 0; number < old; number++) PyTuple_SET_ITEM(made, number + (first ? more : 0), Py_NewRef(PyTuple_GET_ITEM(there, number)));
    for (Py_ssize_t number = 0; number < more; number++)
        PyTuple_SET_ITEM(made, first ? more - 1 - number : old + number, Py_NewRef(PyList_GET_ITEM(things, number)));
    return made;
}

static PyObject *together(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    PyObject *machine, *things, *state, *where, *members, *journal, *known, *note, *said, *origin, *left, *there, *result = NULL;
    PyObject *rooms = PyTuple_GET_ITEM(self, PUT_ROOMS), *odd = PyTuple_GET_ITEM(self, PUT_ODD), *sight = PyTuple_GET_ITEM(self, TOGETHER_SIGHT);
    long to, before, first, room, version;
    char *marks;
    if (count != 3 || Py_TYPE(machine = args[0]) != Machine || !PyList_CheckExact(things = args[1]) || !is_number(args[2], &to)) goto python;
    if ((state = get_a(State, machine, machine_.state)) == NULL || !is_noting(machine, &note, &said) || PyList_GET_SIZE(things) == 0) goto python;
    where = get_list(state, state_.where), members = get_list(state, state_.members), journal = get_list(state, state_.journal);
    known = get_list(state, state_.known);
    if (where == NULL || members == NULL || journal == NULL || known == NULL || !get_number(state, state_.version, &version)) goto python;
    if (!is_number(PyList_GET_ITEM(things, 0), &first) || first < 0 || first >= PyList_GET_SIZE(where)) goto python;
    if (!is_number(origin = PyList_GET_ITEM(where, first), &before) || before == to || before < 0 || to < 0) goto python;
    if (before >= PyTuple_GET_SIZE(sight) || to >= PyTuple_GET_SIZE(sight) || before >= PyList_GET_SIZE(members) || to >= PyList_GET_SIZE(members)) goto python;
    left = PyList_GET_ITEM(members, before), there = PyList_GET_ITEM(members, to);
    if (PyTuple_GET_ITEM(sight, before) == Py_None || PyTuple_GET_ITEM(sight, to) == Py_None || !is_number(PyTuple_GET_ITEM(rooms, to), &room)) goto python;
    if (!PyTuple_CheckExact(left) || !PyTuple_CheckExact(there) || PyTuple_GET_SIZE(there) + PyList_GET_SIZE(things) > room) goto python;
    if ((marks = PyMem_Calloc(PyBytes_GET_SIZE(odd) + 1, 1)) == NULL) return PyErr_NoMemory();
    if (!are_alike(things, where, known, odd, before, marks)) {
        PyMem_Free(marks);
        goto python;
    }
    {
        PyObject *kept[] = {state, where, members, journal, known, note, said, origin, left, there};
        for (size_t number = 0; number < sizeof kept / sizeof *kept; number++) Py_INCREF(kept[number]);
        /* The list is copied: to ask who can tell the places is Python code, and it is not certain that the list is the same after it. */
        PyObject *all = PyList_GetSlice(things, 0, PyList_GET_SIZE(things)), *more = all == NULL ? NULL : with_all(there, all, PyTuple_GET_ITEM(self, PUT_LOW) == Py_True);
        PyObject *rest = all == NULL ? NULL : unmarked(left, marks, PyBytes_GET_SIZE(odd), PyTuple_GET_SIZE(left) - PyList_GET_SIZE(all));
        PyObject *bits = PyNumber_Or(PyTuple_GET_ITEM(sight, before), PyTuple_GET_ITEM(sight, to)), *told = NULL;
        int strange = rest == NULL && !PyErr_Occurred();
        PyMem_Free(marks);
        if (all == NULL || more == NULL || rest == NULL || bits == NULL) goto done;
        if ((told = PyObject_CallMethodObjArgs(machine, n_tellers, origin, args[2], NULL)) == NULL) goto done;
        if (append(journal, PACKED(membered, origin, left)) < 0 || append(journal, PACKED(membered, args[2], there)) < 0) goto done;
        if (PyList_SetItem(members, before, Py_NewRef(rest)) < 0 || PyList_SetItem(members, to, Py_NewRef(more)) < 0) goto done;
        for (Py_ssize_t number = 0; number < PyList_GET_SIZE(all); number++) {
            PyObject *each = PyList_GET_ITEM(all, number);
            long thing;
            if (!is_number(each, &thing)) {
                PyErr_SetString(PyExc_TypeError, "what is put somewhere has become something else");
                goto done;
            }
            if (append(journal, PACKED(placed, each, origin)) < 0 || PyList_SetItem(where, thing, Py_NewRef(args[2])) < 0) goto done;
            PyObject *knowers = Py_NewRef(thing < PyList_GET_SIZE(known) ? PyList_GET_ITEM(known, thing) : zero), *seen = PyNumber_Or(bits, knowers);
            int failed = seen == NULL ? -1 : noted(note, PACKED(w_move, said, each, origin, args[2], seen, told));
            Py_DECREF(knowers), Py_XDECREF(seen);
            if (failed < 0) goto done;
        }
        if (set_number(state, state_.version, version + (long)PyList_GET_SIZE(all)) == 0) result = Py_NewRef(Py_True);
    done:
        Py_XDECREF(all), Py_XDECREF(more), Py_XDECREF(rest), Py_XDECREF(bits), Py_XDECREF(told);
        for (size_t number = 0; number < sizeof kept / sizeof *kept; number++) Py_DECREF(kept[number]);
        if (!strange) return result;
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
