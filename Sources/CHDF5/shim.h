// SPDX-License-Identifier: Apache-2.0
#ifndef PINNA_CHDF5_SHIM_H
#define PINNA_CHDF5_SHIM_H

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

// HDF5's constants are macros that Swift can't see. All functions answer less than 0 for what isn't there or can't be read.

/// Opens a file for reading, without messages of the library's own.
static inline hid_t ch_open(const char *path) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  return H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
}

/// Closes a file.
static inline void ch_close(hid_t file) { H5Fclose(file); }

/// Writes up to 8 dimensions of a data set of numbers and answers how many it has.
static inline int ch_dimensions(hid_t file, const char *name, unsigned long long *dimensions) {
  hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  if (set < 0) return -1;
  hid_t space = H5Dget_space(set), type = H5Dget_type(set);
  H5T_class_t kind = H5Tget_class(type);
  int rank = kind == H5T_FLOAT || kind == H5T_INTEGER ? H5Sget_simple_extent_ndims(space) : -1;
  hsize_t sizes[H5S_MAX_RANK];
  if (rank > 8 || (rank > 0 && H5Sget_simple_extent_dims(space, sizes, NULL) < 0)) rank = -1;
  for (int axis = 0; axis < rank; axis++) dimensions[axis] = sizes[axis];
  H5Tclose(type);
  H5Sclose(space);
  H5Dclose(set);
  return rank;
}

/// Reads the block of a data set from `start` on with `count` numbers along each axis.
static inline int ch_read(hid_t file, const char *name, int rank, const unsigned long long *start,
                          const unsigned long long *count, float *values) {
  hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  if (set < 0) return -1;
  hsize_t from[8], length[8];
  for (int axis = 0; axis < rank && axis < 8; axis++) {
    from[axis] = start[axis];
    length[axis] = count[axis];
  }
  hid_t space = H5Dget_space(set);
  hid_t memory = H5Screate_simple(rank, length, NULL);
  int status = H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, length, NULL);
  if (status >= 0) status = H5Dread(set, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, values);
  H5Sclose(memory);
  H5Sclose(space);
  H5Dclose(set);
  return status < 0 ? -1 : 0;
}

/// Writes the text of an attribute of `object`, "/" for the file's own, to `text`, cut to `size` - 1 bytes.
static inline int ch_text(hid_t file, const char *object, const char *name, char *text, size_t size) {
  hid_t attribute = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
  if (attribute < 0) return -1;
  hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  int status = -1;
  text[0] = 0;
  if (H5Tget_class(type) == H5T_STRING && H5Sget_simple_extent_npoints(space) == 1) {
    if (H5Tis_variable_str(type) > 0) {
      char *found = NULL;
      if (H5Aread(attribute, type, &found) >= 0 && found) {
        strncpy(text, found, size - 1);
        text[size - 1] = 0;
        H5free_memory(found);
        status = 0;
      }
    } else {
      size_t length = H5Tget_size(type);
      char *found = length < 1 << 20 ? (char *)calloc(length + 1, 1) : NULL;
      if (found && H5Aread(attribute, type, found) >= 0) {
        strncpy(text, found, size - 1);
        text[size - 1] = 0;
        status = 0;
      }
      free(found);
    }
  }
  H5Sclose(space);
  H5Tclose(type);
  H5Aclose(attribute);
  return status;
}

#endif
