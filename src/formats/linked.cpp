#include "io/format_readers.h"

namespace isthmus {

const FormatReaders& format_readers() {
  return isthmus_format_readers;
}

}  // namespace isthmus
