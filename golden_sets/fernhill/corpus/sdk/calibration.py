"""Calibration of Fernhill sensors from Python.

Two kinds of correction are supported: an offset for CO2 cells, found in fresh
air or with test gas, and a line for soil probes, found with samples that were
dried in an oven. Corrections are stored in the device history.
"""

from statistics import mean, pstdev

FRESH_AIR_PPM = 425
MAX_OFFSET_PPM = 150
STABLE_READINGS = 12
STABLE_SPREAD_PPM = 15
MIN_SOIL_SAMPLES = 5
MIN_SOIL_SPAN_PERCENT = 12.0
OVEN_HOURS = 24
OVEN_CELSIUS = 105


class NotStable(Exception):
    """The readings move too much to be used for a calibration."""


class OffsetTooLarge(Exception):
    """The correction is so large that the cell is probably faulty."""


def co2_offset(readings, reference_ppm=FRESH_AIR_PPM):
    """Return the offset in ppm that must be added to future readings.

    The last STABLE_READINGS values are used. If their spread is larger than
    STABLE_SPREAD_PPM, NotStable is raised. An offset beyond MAX_OFFSET_PPM is
    refused with OffsetTooLarge; send the sensor to the workshop in that case.
    """
    last = list(readings)[-STABLE_READINGS:]
    if len(last) < STABLE_READINGS:
        raise NotStable("need %d readings" % STABLE_READINGS)
    if pstdev(last) > STABLE_SPREAD_PPM:
        raise NotStable("spread is too large")
    offset = reference_ppm - mean(last)
    if abs(offset) > MAX_OFFSET_PPM:
        raise OffsetTooLarge("%.0f ppm" % offset)
    return offset


def gravimetric(wet_g, dry_g, tin_g, bulk_density=1.35):
    """Return the volumetric water content of a soil sample in percent.

    The sample must have been dried for OVEN_HOURS at OVEN_CELSIUS. The mass
    of the tin is taken off both masses. The default bulk density is that of a
    sandy loam; measure your own for anything else.
    """
    if dry_g <= tin_g:
        raise ValueError("the dry mass must be larger than that of the tin")
    return 100.0 * (wet_g - dry_g) / (dry_g - tin_g) * bulk_density


def soil_line(pairs):
    """Fit a line through (probe value, oven value) pairs.

    At least MIN_SOIL_SAMPLES pairs are needed, and the oven values must span
    MIN_SOIL_SPAN_PERCENT or more; otherwise the slope would be a guess.
    Returns slope and intercept.
    """
    pairs = list(pairs)
    if len(pairs) < MIN_SOIL_SAMPLES:
        raise ValueError("too few samples")
    xs = [p[0] for p in pairs]
    ys = [p[1] for p in pairs]
    if max(ys) - min(ys) < MIN_SOIL_SPAN_PERCENT:
        raise ValueError("samples are too much alike")
    mx, my = mean(xs), mean(ys)
    slope = sum((x - mx) * (y - my) for x, y in pairs) / sum((x - mx) ** 2 for x in xs)
    return slope, my - slope * mx


def apply_line(value, slope, intercept):
    """Correct one probe value and keep it between 0 and 100 percent."""
    return max(0.0, min(100.0, slope * value + intercept))
