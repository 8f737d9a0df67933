"""The files of streams against NumPy: for streams_test.py."""
import datetime

import cftime
import netCDF4
import numpy
import reference
from model_run import check

EPOCH = "days since 1900-01-01 00:00:00"


def periods(clock, is_end):
    """(begin, end) of complete periods, as numbers of steps; is_end of a date."""
    begin = 0
    for step in range(1, len(clock.dates)):
        if is_end(clock.dates[step]):
            yield begin, step
            begin = step


def compare(folder, clock, template, fields, is_end, epoch=EPOCH):
    """All records of a stream. `fields`: name in the file to field, operation and perhaps the part that is written: a
    function of values and where they are valid; a condition; the number of parts of the day; levels; and a type."""
    files, seen = {}, 0
    try:
        for begin, end in periods(clock, is_end):
            is_instant = any(each[1] == "instant" for each in fields.values())
            name = clock.dates[end if is_instant else begin].strftime(template)
            if name not in files:
                check((folder / name).exists(), f"there is no {name}")
                files[name] = (netCDF4.Dataset(folder / name), [])
                files[name][0].set_auto_maskandscale(False)
            file, records = files[name]
            records.append((begin, end))
            compare_record(file, len(records) - 1, clock, (begin, end), fields, is_instant, epoch)
            seen += 1
        for name, (file, records) in files.items():
            check(len(file.dimensions["time"]) == len(records), f"{name} has {len(file.dimensions['time'])} records")
    finally:
        for file, _ in files.values():
            file.close()
    check(seen > 0, f"{template}: nothing was compared")


def compare_record(file, record, clock, period, fields, is_instant, epoch):
    bounds = [cftime.date2num(clock.dates[step], epoch, clock.calendar) for step in period]
    middle = bounds[1] if is_instant else (bounds[0] + bounds[1]) / 2
    check(abs(file["time"][record] - middle) < 1e-9, f"time {file['time'][record]}, not {middle}")
    check(file["time"].calendar == clock.calendar, "the calendar")
    if not is_instant:
        check(numpy.allclose(file["time_bnds"][record], bounds, rtol=0, atol=1e-9), f"bounds in record {record}")
    steps = [(step, clock.seconds[step - 1]) for step in range(period[0] + 1, period[1] + 1)]
    for name, (field, operation, *more) in fields.items():
        variable = file[name]
        part, condition, parts_of_day, levels, given = [*more, None, None, None, None, None][:5]
        method = reference.METHODS.get(operation, operation)
        if operation not in ("first", "last", "count") and parts_of_day is None:
            check(variable.cell_methods.startswith(f"time: {method}"), f"{name}: cell_methods {variable.cell_methods}")
        kind = reference.file_type(operation, field)
        kind = "f8" if kind == "i4" and "reduced" in getattr(part, "__qualname__", "") else kind
        kind = given or kind
        check(variable.dtype == kind, f"{name} is {variable.dtype}, not {kind}")
        found = variable[record]
        split = [steps]
        if parts_of_day is not None:
            hours = [clock.dates[step - 1] + datetime.timedelta(seconds=seconds / 2) for step, seconds in steps]
            of_day = [(date.hour * 60 + date.minute) * parts_of_day // 1440 for date in hours]
            split = [[step for step, number in zip(steps, of_day) if number == n] for n in range(parts_of_day)]
        results = [reference.result(operation, field, each, condition, levels) for each in split]
        results = [part(*each) if part else each for each in results]
        wanted, valid = results[0] if parts_of_day is None else (numpy.stack(each) for each in zip(*results))
        check(found.shape == wanted.shape, f"{name} has shape {found.shape}, not {wanted.shape}")
        if field in reference.MISSING and operation != "count":
            missing = numpy.array(reference.MISSING[field]).astype(kind)
            check(numpy.array_equal(variable._FillValue, missing, equal_nan=True), f"{name}: fill value")
            is_missing = numpy.isnan(found) if numpy.isnan(missing) else found == missing
            check(numpy.array_equal(is_missing, ~valid), f"{name}, record {record}: missing values")
        # Two units in the last place of the type in the file; sums of another order add as many of double precision.
        ulp = 2 * numpy.spacing(numpy.abs(wanted).astype(kind)).astype("f8") if kind != "i4" else 0.0
        ulp = ulp + 1e-11 * (1000.0 if operation != "variance" else 1e5)
        with numpy.errstate(invalid="ignore"):
            good = numpy.abs(found.astype("f8") - wanted) <= ulp
        check((good | ~valid).all(), f"{file.filepath()}: {name}, record {record}, is not {operation} of {field}")
