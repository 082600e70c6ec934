/* Choosing: the straight way of `Game.choose`, with `Compiled.answered` and `Game._ask`. */

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

/* Whether there are frames between the game and what is asked: only then can there be a payment of which more is to come (see `rehearsing`). */
static int has_frames(PyObject *machine)
{
    PyObject *state = get_a(State, machine, machine_.state), *stack = state == NULL ? NULL : get_list(state, state_.stack);
    if (stack == NULL) return 1;
    for (Py_ssize_t number = 1; number < PyList_GET_SIZE(stack) - 1; number++)
        if (PyDict_Check(PyList_GET_ITEM(stack, number))) return 1;
    return 0;
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
    if (!is_costly || PyList_GET_SIZE(PyTuple_GET_ITEM(listed, 1)) < 2 || !has_frames(machine)) return 1;
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
    PyErr_SetHandledException(NULL);
    PyObject *outer = PyErr_GetHandledException(); /* what a generator finds outside of itself is not its own */
    if (outer != handled) PyErr_SetHandledException(handled);
    if (result != NULL) raise_again(Py_NewRef(error));
    Py_XDECREF(result), Py_XDECREF(handled), Py_XDECREF(outer), Py_DECREF(error);
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
    /* Who interrupted this meanwhile is heard before it is too late to leave the game as it was. */
    if (note(&turn) < 0 || answered(self, &turn) < 0 || ask(game, turn.machine) < 0 || PyErr_CheckSignals() < 0 || remember(&turn) < 0) {
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
