/* Kernels of a prebuilt library as Python callables: arrays by the buffer protocol, without the GIL.

A kernel is a C function of one argument, a frame of 64-bit words. Word 0 takes the result. Each argument follows: an
integer is a word, a record its address, an array its address, lengths and strides. Nonzero status: the kernel raised. */
#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>
#include <structmember.h>

enum { MAX_ARGUMENTS = 64, MAX_NDIM = 8, MAX_WORDS = 1 + MAX_ARGUMENTS * (1 + 2 * MAX_NDIM) };

typedef struct {
    char kind; /* n: an integer, r: records, i, u, f: signed, unsigned, floating-point numbers */
    char is_contiguous;
    int ndim, itemsize;
} Argument;

typedef struct {
    PyObject_HEAD
    PyObject *name, *function;
    int32_t (*entry)(int64_t *);
    int n_arguments, returns;
    Argument arguments[MAX_ARGUMENTS];
} Kernel;

static int has_format(const Argument *argument, const char *format) {
    static const char *const formats[] = {"ibhlq", "uBHILQ", "fefd"};
    if (argument->kind == 'r')
        return 1;
    if (format == NULL || format[0] == 0 || format[1] != 0)
        return 0;
    for (int i = 0; i < 3; i++)
        if (formats[i][0] == argument->kind)
            return strchr(formats[i] + 1, format[0]) != NULL || (argument->kind == 'i' && format[0] == 'i');
    return 0;
}

/* Write an argument at `words`; returns the next word, NULL with an exception. */
static int64_t *put(const Kernel *kernel, int index, PyObject *value, Py_buffer *view, int64_t *words) {
    const Argument *argument = &kernel->arguments[index];
    if (argument->kind == 'n') {
        PyObject *integer = PyNumber_Index(value);
        if (integer == NULL)
            return NULL;
        *words = PyLong_AsLongLong(integer);
        Py_DECREF(integer);
        return *words == -1 && PyErr_Occurred() ? NULL : words + 1;
    }
    if (PyObject_GetBuffer(value, view, argument->kind == 'r' ? PyBUF_STRIDES : PyBUF_STRIDES | PyBUF_FORMAT) < 0)
        return NULL;
    const char *fault = NULL;
    if (view->ndim != argument->ndim)
        fault = "dimensions";
    else if (view->itemsize != argument->itemsize || !has_format(argument, view->format))
        fault = "type";
    else if (argument->ndim > 0 && view->readonly)
        fault = "writability";
    else if (argument->is_contiguous && !PyBuffer_IsContiguous(view, 'C'))
        fault = "strides";
    else if (argument->kind != 'r' && (uintptr_t)view->buf % argument->itemsize != 0)
        fault = "alignment";
    if (fault != NULL) {
        PyErr_Format(PyExc_TypeError, "%U: argument %d has the wrong %s", kernel->name, index, fault);
        return NULL;
    }
    *words++ = (int64_t)(intptr_t)view->buf;
    for (int i = 0; i < view->ndim; i++)
        words[i] = view->shape[i];
    words += view->ndim;
    for (int i = 0; i < view->ndim; i++)
        words[i] = view->strides[i];
    return words + view->ndim;
}

/* Trailing arguments of a kernel in words, so that calls with the same arrays convert them once. */
typedef struct {
    PyObject_HEAD
    Kernel *kernel;
    PyObject *arguments;
    int first; /* index of the first argument */
    Py_ssize_t n_words;
    int64_t *words;
    Py_buffer *views;
} Packed;

static PyTypeObject *packed_type;

/* Write arguments at `words`, tuples flattened; returns the next word, NULL with an exception. */
static int64_t *put_all(const Kernel *kernel, int *index, PyObject *values, Py_buffer *views, int64_t *words) {
    for (Py_ssize_t i = 0; words != NULL && i < PyTuple_Size(values); i++) {
        PyObject *value = PyTuple_GetItem(values, i);
        const Packed *packed = Py_TYPE(value) == packed_type ? (Packed *)value : NULL;
        if (PyTuple_Check(value)) {
            words = put_all(kernel, index, value, views, words);
        } else if (packed != NULL && packed->kernel == kernel && packed->first == *index) {
            memcpy(words, packed->words, packed->n_words * sizeof(int64_t));
            words += packed->n_words;
            *index = kernel->n_arguments;
        } else if (*index < kernel->n_arguments) {
            words = put(kernel, *index, value, &views[*index], words);
            ++*index;
        } else {
            words = NULL;
        }
    }
    if (words == NULL && !PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "%U: takes %d arguments", kernel->name, kernel->n_arguments);
    return words;
}

static void release(const Kernel *kernel, Py_buffer *views) {
    for (int i = 0; i < kernel->n_arguments; i++)
        if (views[i].obj != NULL)
            PyBuffer_Release(&views[i]);
}

static PyObject *call(PyObject *self, PyObject *args, PyObject *kwargs) {
    Kernel *kernel = (Kernel *)self;
    Py_buffer views[MAX_ARGUMENTS];
    int64_t frame[MAX_WORDS], *end = NULL;
    int n = 0, status = 1;
    for (int i = 0; i < kernel->n_arguments; i++)
        views[i].obj = NULL;
    if (kwargs == NULL || PyDict_Size(kwargs) == 0)
        end = put_all(kernel, &n, args, views, frame + 1);
    int is_good = end != NULL && n == kernel->n_arguments;
    if (is_good) {
        Py_BEGIN_ALLOW_THREADS
        status = kernel->entry(frame);
        Py_END_ALLOW_THREADS
    } else if (!PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "%U: takes %d arguments", kernel->name, kernel->n_arguments);
    release(kernel, views);
    if (!is_good)
        return NULL;
    if (status != 0) {
        PyErr_Format(PyExc_RuntimeError, "%U failed", kernel->name);
        return NULL;
    }
    if (!kernel->returns)
        Py_RETURN_NONE;
    return PyLong_FromLongLong(frame[0]);
}

/* pack(*arguments): the last arguments of a call, as one. */
static PyObject *pack(PyObject *self, PyObject *args) {
    Kernel *kernel = (Kernel *)self;
    int64_t words[MAX_WORDS];
    int first = kernel->n_arguments - (int)PyTuple_Size(args), n = first;
    if (first < 0)
        return PyErr_Format(PyExc_TypeError, "%U: takes %d arguments", kernel->name, kernel->n_arguments);
    Packed *packed = (Packed *)PyType_GenericAlloc(packed_type, 0);
    if (packed == NULL)
        return NULL;
    packed->kernel = (Kernel *)Py_NewRef(self);
    packed->arguments = Py_NewRef(args);
    packed->first = first;
    packed->views = PyMem_Calloc(kernel->n_arguments, sizeof(Py_buffer));
    const int64_t *end = packed->views == NULL ? NULL : put_all(kernel, &n, args, packed->views, words);
    packed->n_words = end == NULL ? 0 : end - words;
    packed->words = end == NULL ? NULL : PyMem_Malloc(packed->n_words * sizeof(int64_t));
    if (packed->words == NULL) {
        Py_DECREF(packed);
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    memcpy(packed->words, words, packed->n_words * sizeof(int64_t));
    return (PyObject *)packed;
}

static void dealloc_packed(PyObject *self) {
    Packed *packed = (Packed *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (packed->views != NULL)
        release(packed->kernel, packed->views);
    PyMem_Free(packed->views);
    PyMem_Free(packed->words);
    Py_XDECREF(packed->arguments);
    Py_XDECREF((PyObject *)packed->kernel);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyType_Slot packed_slots[] = {{Py_tp_dealloc, dealloc_packed}, {0, NULL}};
static PyType_Spec packed_spec = {"vitienv.kernels.Packed", sizeof(Packed), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, packed_slots};

/* Kernel(function, address, returns, arguments): arguments are tuples (kind, itemsize, ndim, is_contiguous). */
static PyObject *new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    PyObject *function, *arguments;
    unsigned long long address;
    int returns;
    if (!PyArg_ParseTuple(args, "OKpO!", &function, &address, &returns, &PyTuple_Type, &arguments))
        return NULL;
    if (PyTuple_Size(arguments) > MAX_ARGUMENTS)
        return PyErr_Format(PyExc_ValueError, "a kernel must take at most %d arguments", MAX_ARGUMENTS);
    Kernel *kernel = (Kernel *)PyType_GenericAlloc(type, 0);
    if (kernel == NULL)
        return NULL;
    kernel->entry = (int32_t(*)(int64_t *))(uintptr_t)address;
    kernel->returns = returns;
    kernel->n_arguments = (int)PyTuple_Size(arguments);
    kernel->function = Py_NewRef(function);
    kernel->name = PyObject_GetAttrString(function, "__name__");
    int is_good = kernel->name != NULL;
    for (int i = 0; is_good && i < kernel->n_arguments; i++) {
        Argument *own = &kernel->arguments[i];
        int kind, is_contiguous;
        is_good = PyArg_ParseTuple(PyTuple_GetItem(arguments, i), "Ciip", &kind, &own->itemsize, &own->ndim,
                                   &is_contiguous);
        own->kind = (char)kind;
        own->is_contiguous = (char)is_contiguous;
        if (is_good && own->ndim > MAX_NDIM) {
            PyErr_Format(PyExc_ValueError, "an array must have at most %d dimensions", MAX_NDIM);
            is_good = 0;
        }
    }
    if (is_good)
        return (PyObject *)kernel;
    Py_DECREF(kernel);
    return NULL;
}

static void dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(((Kernel *)self)->name);
    Py_XDECREF(((Kernel *)self)->function);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyMemberDef members[] = {
    {"__name__", T_OBJECT, offsetof(Kernel, name), READONLY, NULL},
    {"__wrapped__", T_OBJECT, offsetof(Kernel, function), READONLY, NULL},
    {"py_func", T_OBJECT, offsetof(Kernel, function), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};
static PyMethodDef kernel_methods[] = {{"pack", pack, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
static PyType_Slot slots[] = {
    {Py_tp_new, new}, {Py_tp_call, call}, {Py_tp_dealloc, dealloc}, {Py_tp_members, members},
    {Py_tp_methods, kernel_methods}, {0, NULL},
};
static PyType_Spec spec = {"vitienv.kernels.Kernel", sizeof(Kernel), 0, Py_TPFLAGS_DEFAULT, slots};

/* The levels of this processor that libraries may be built for, the fastest first. */
static PyObject *levels(PyObject *self, PyObject *unused) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    int has_v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                 __builtin_cpu_supports("fma") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("lzcnt") &&
                 __builtin_cpu_supports("movbe") && __builtin_cpu_supports("f16c");
    return has_v3 ? Py_BuildValue("(ss)", "x86-64-v3", "x86-64") : Py_BuildValue("(s)", "x86-64");
#elif defined(__aarch64__)
    return Py_BuildValue("(s)", "aarch64");
#else
    return PyTuple_New(0);
#endif
}

static PyMethodDef methods[] = {{"levels", levels, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "shim", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_shim(void) {
    PyObject *made = PyModule_Create(&module), *type = PyType_FromSpec(&spec);
    packed_type = (PyTypeObject *)PyType_FromSpec(&packed_spec);
    if (made == NULL || type == NULL || packed_type == NULL || PyModule_AddObject(made, "Kernel", type) < 0)
        return NULL;
    return made;
}
