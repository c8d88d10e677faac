/* Date arithmetic in the Gregorian calendar, in days since 1970-01-01. It is valid from year -400. */
#ifndef KITH_SERVER_BASE_CIVIL_H
#define KITH_SERVER_BASE_CIVIL_H

#include <stdbool.h>
#include <stdint.h>

int32_t civil_days(int year, int month, int day);
void civil_from_days(int32_t days, int *year, int *month, int *day);
int civil_month_length(int year, int month);
bool civil_leap(int year);

/* 0 is Monday. */
int civil_weekday(int32_t days);

/* Adds months (which may be negative); the day is clamped to the length of the resulting month. */
int32_t civil_add_months(int32_t days, int64_t months);

/* Division that rounds down. */
int64_t civil_floor(int64_t a, int64_t b);

#endif
