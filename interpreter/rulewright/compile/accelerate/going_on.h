/* Looking, asking, and going on with what was left behind: twins of `helpers.bare` and `running.ask_one`, of `play/resuming.py`, and of `Compiled._go_on`. */

/* -- looking: the twin of `helpers.bare` */

/* The places in which nothing lies. */
static PyObject *bare(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    PyObject *places, *members, *made;
    long place;
    if (count != 2 || !PyList_CheckExact(places = args[0]) || !PyList_CheckExact(members = args[1])) goto python;
    if ((made = PyList_New(0)) == NULL) return NULL;
    for (Py_ssize_t number = 0; number < PyList_GET_SIZE(places); number++) {
        PyObject *each = PyList_GET_ITEM(places, number), *there;
        if (!is_number(each, &place) || place < 0 || place >= PyList_GET_SIZE(members) || !PyTuple_CheckExact(there = PyList_GET_ITEM(members, place))) {
            Py_DECREF(made);
            goto python;
        }
        if (PyTuple_GET_SIZE(there) == 0 && PyList_Append(made, each) < 0) {
            Py_DECREF(made);
            return NULL;
        }
    }
    return made;
python:
    return in_python(bare_in_python, args, count);
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

/* What sort of frame something is; NULL if it is no plain frame, or with an error. */
static PyObject *sort_of(PyObject *top)
{
    PyObject *sort = PyDict_CheckExact(top) ? PyDict_GetItemWithError(top, w_f) : NULL;
    return sort != NULL && PyUnicode_CheckExact(sort) ? Py_NewRef(sort) : NULL;
}

/* Whether somebody has to decide what is on top; -1 on an error. */
static int is_question(PyObject *top)
{
    if (PyTuple_CheckExact(top)) return PyTuple_GET_SIZE(top) > 0 && PyTuple_GET_ITEM(top, 0) == choice;
    PyObject *sort = sort_of(top);
    if (sort == NULL) return PyErr_Occurred() ? -1 : 0;
    int asks = PyUnicode_CompareWithASCIIString(sort, "choose") == 0 || PyUnicode_CompareWithASCIIString(sort, "offer") == 0;
    Py_DECREF(sort);
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
            int asks = failed ? -1 : is_question(top);
            Py_DECREF(top);
            if (asks) return asks < 0 ? -1 : 0;
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
                if (PyErr_Occurred()) return -1;
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
    so = PyLong_FromLong(ended), taken = PyLong_FromLong(more);
    result = so == NULL || taken == NULL ? NULL : PyObject_CallMethodObjArgs(engine, n_go_on, machine, so, taken, NULL);
    Py_XDECREF(so), Py_XDECREF(taken), Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}
