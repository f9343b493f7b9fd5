/* Reads paths with the component omniread-text.wasm and the C API of wasmtime.
 *
 *     cc component.c -lwasmtime -o component
 *     ./component omniread-text.wasm DIRECTORY PATH...
 *
 * Compiling takes seconds, so the code is kept in the file omniread-text.wasm.compiled. It is loaded without a check: only
 * you may be able to write that file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wasi.h>
#include <wasmtime.h>

/* Ends the program if an operation failed. */
static void check(const char *what, wasmtime_error_t *error) {
  if (!error) return;
  wasm_byte_vec_t message;
  wasmtime_error_message(error, &message);
  fprintf(stderr, "%s: %.*s\n", what, (int)message.size, message.data);
  exit(2);
}

/* The bytes of a file. */
static wasm_byte_vec_t bytes_of(const char *path) {
  FILE *file = fopen(path, "rb");
  wasm_byte_vec_t bytes;
  struct stat facts;
  if (!file || fstat(fileno(file), &facts) != 0) { perror(path); exit(2); }
  wasm_byte_vec_new_uninitialized(&bytes, (size_t)facts.st_size);
  if (fread(bytes.data, 1, bytes.size, file) != bytes.size) { perror(path); exit(2); }
  fclose(file);
  return bytes;
}

/* The compiled component. Its code is compiled again if the component is newer. */
static wasmtime_component_t *load(wasm_engine_t *engine, const char *path) {
  wasmtime_component_t *component;
  char code[4096], new[4128];
  snprintf(code, sizeof code, "%s.compiled", path);
  snprintf(new, sizeof new, "%s.%ld", code, (long)getpid()); /* other processes compile as well */
  struct stat of_code, of_component;
  if (stat(code, &of_code) == 0 && stat(path, &of_component) == 0 && of_code.st_mtime >= of_component.st_mtime) {
    wasmtime_error_t *error = wasmtime_component_deserialize_file(engine, code, &component);
    if (!error) return component;
    wasmtime_error_delete(error); /* another version of wasmtime, or another processor */
  }
  fprintf(stderr, "compiling %s, once\n", path);
  wasm_byte_vec_t bytes = bytes_of(path), compiled;
  check(path, wasmtime_component_new(engine, (uint8_t *)bytes.data, bytes.size, &component));
  check("serialize", wasmtime_component_serialize(component, &compiled));
  FILE *file = fopen(new, "wb");
  if (file) {
    bool is_whole = fwrite(compiled.data, 1, compiled.size, file) == compiled.size;
    is_whole = fclose(file) == 0 && is_whole;
    if (!is_whole || rename(new, code) != 0) remove(new);
  }
  wasm_byte_vec_delete(&compiled);
  wasm_byte_vec_delete(&bytes);
  return component;
}

/* Reads a path with a fresh instance. Returns whether there is a reply, and prints it, or the failure. */
static bool read_path(wasm_engine_t *engine, wasmtime_component_linker_t *linker, wasmtime_component_t *component,
                      const char *directory, const char *path) {
  wasmtime_store_t *store = wasmtime_store_new(engine, NULL, NULL);
  wasmtime_context_t *context = wasmtime_store_context(store);
  wasi_config_t *wasi = wasi_config_new();
  wasi_config_preopen_dir(wasi, directory, ".", false);
  check("wasi", wasmtime_context_set_wasi(context, wasi));

  wasmtime_component_instance_t instance;
  check("instantiate", wasmtime_component_linker_instantiate(linker, context, component, &instance));
  wasmtime_component_export_index_t *index =
      wasmtime_component_instance_get_export_index(&instance, context, NULL, "read", strlen("read"));
  wasmtime_component_func_t function;
  if (!index || !wasmtime_component_instance_get_func(&instance, context, index, &function)) {
    fprintf(stderr, "the component exports no function `read`: use omniread-text.wasm\n");
    exit(2);
  }
  /* The call frees what is in `outcome` before. */
  wasmtime_component_val_t argument = {.kind = WASMTIME_COMPONENT_STRING}, outcome = {.kind = WASMTIME_COMPONENT_BOOL};
  wasm_name_new(&argument.of.string, strlen(path), path);
  check(path, wasmtime_component_func_call(&function, context, &argument, 1, &outcome, 1));
  bool is_reply = outcome.of.result.is_ok;
  wasm_name_t *text = &outcome.of.result.val->of.string;
  FILE *stream = is_reply ? stdout : stderr;
  fwrite(text->data, 1, text->size, stream); /* a text may have NULs */
  fputc('\n', stream);

  wasmtime_component_val_delete(&outcome);
  wasmtime_component_val_delete(&argument);
  wasmtime_component_export_index_delete(index);
  wasmtime_store_delete(store);
  return is_reply;
}

int main(int count, char **arguments) {
  if (count < 4) {
    fprintf(stderr, "usage: %s omniread-text.wasm DIRECTORY PATH...\n", arguments[0]);
    return 2;
  }
  wasm_engine_t *engine = wasm_engine_new();
  wasmtime_component_t *component = load(engine, arguments[1]);
  wasmtime_component_linker_t *linker = wasmtime_component_linker_new(engine);
  check("wasi", wasmtime_component_linker_add_wasip2(linker));
  bool all = true;
  for (int i = 3; i < count; i++) all &= read_path(engine, linker, component, arguments[2], arguments[i]);
  wasmtime_component_linker_delete(linker);
  wasmtime_component_delete(component);
  wasm_engine_delete(engine);
  return all ? 0 : 1;
}
