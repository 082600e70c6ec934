/* Twins of the few functions that every decision goes through, in C.

   Each does exactly what its Python twin does, and only in the usual case: whatever is not usual is handed to the Python function before anything has
   been changed, and so is every error. So nothing here decides what rules mean; without this file games are the same, and slower.

   Objects of the Python side are read and written through their slots: where each lies in an object is asked once, in `setup`. A slot may be empty and
   may hold anything, so nothing is taken for granted: every value is looked at before it is used. A function that was made for a world gets what
   it knows about that world as its `self`, a tuple.

   `slots.h` is what all need, `moving.h`, `going_on.h`, `choosing.h` and `copying.h` have the twins, and here the module is made of them.

   Words used throughout: a function that gives 0 or 1 says whether something is so; one that gives -1 has raised a Python error. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

#ifdef Py_GIL_DISABLED
#error "the twins rely on the global interpreter lock"
#endif

#include "slots.h"
#include "moving.h"
#include "going_on.h"
#include "choosing.h"
#include "copying.h"

static PyMethodDef PUT = {"put", (PyCFunction)(void (*)(void))put, METH_FASTCALL, NULL};
static PyMethodDef TOGETHER = {"together", (PyCFunction)(void (*)(void))together, METH_FASTCALL, NULL};
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

static PyObject *make_together(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    int right = count == TOGETHER_PARTS && PyTuple_CheckExact(args[PUT_ROOMS]) && PyBytes_CheckExact(args[PUT_ODD]);
    return knowing(&TOGETHER, args, count, right && is_tuple_like(args[TOGETHER_SIGHT], args[PUT_ROOMS]));
}

static PyObject *make_assign(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    int right = count == ASSIGN_PARTS && PyLong_CheckExact(args[ASSIGN_EVERYONE]) && PyDict_CheckExact(args[ASSIGN_SLOTS]) && PyTuple_CheckExact(args[ASSIGN_SIGHT]);
    PyObject *component, *slot;
    Py_ssize_t at = 0;
    while (right && PyDict_Next(args[ASSIGN_SLOTS], &at, &component, &slot)) right = PyTuple_CheckExact(slot) && PyTuple_GET_SIZE(slot) == 5;
    return knowing(&ASSIGN, args, count, right);
}

static PyObject *make_tell(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    int right = count == TELL_PARTS && PyLong_CheckExact(args[TELL_EVERYONE])
        && (args[TELL_HIDES] == Py_None || (PyBytes_CheckExact(args[TELL_HIDES]) && PyBytes_CheckExact(args[TELL_CLEAR])));
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
        if (name != NULL && strcmp(name, "__weakref__") == 0) continue; /* who refers to an object weakly does not refer to its copies */
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
    {"bare", (PyCFunction)(void (*)(void))bare, METH_FASTCALL, "The twin of `helpers.bare`."},
    {"put", (PyCFunction)(void (*)(void))make_put, METH_FASTCALL, "Make a twin of a function that `moving.putting` made."},
    {"together", (PyCFunction)(void (*)(void))make_together, METH_FASTCALL, "Make a twin of what `moving.putting_all` puts together."},
    {"permutation", (PyCFunction)(void (*)(void))permutation, METH_FASTCALL, "The twin of `chance.permutation`."},
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
