#pragma once

/// The whole public API.
#include "isthmus/adapt.h"
#include "isthmus/backend.h"
#include "isthmus/context.h"
#include "isthmus/data.h"
#include "isthmus/domain.h"
#include "isthmus/errors.h"
#include "isthmus/labels.h"
#include "isthmus/matrix.h"
#include "isthmus/methods.h"
#include "isthmus/model.h"
#include "isthmus/options.h"
#include "isthmus/preprocessing.h"
#include "isthmus/report.h"
#include "isthmus/scores.h"
#include "isthmus/select.h"
#include "isthmus/version.h"
