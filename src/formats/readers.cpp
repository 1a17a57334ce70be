#include "formats/readers.h"

#include "io/format_readers.h"

extern "C" const isthmus::FormatReaders isthmus_format_readers{ISTHMUS_VERSION, isthmus::open_mat,
                                                               isthmus::open_npz};
