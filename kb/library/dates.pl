% Dates of the Gregorian calendar and time stamps, seconds since 1970. All times are UTC; the local time zone is taken as UTC.
% Days are counted as in H. F. Fliegel, T. C. Van Flandern, A machine algorithm for processing calendar dates, 1968, from the
% 1st of March on, so that the day that may be missing is the last one of a year.
%
% date(Year, Month, Day, Hour, Minute, Second, Offset, Zone, DaylightSaving) is a time, Offset seconds west of Greenwich;
% Zone and DaylightSaving are - if unknown. date(Year, Month, Day) is a day.
:- module(dates,
          [ stamp_date_time/3, date_time_stamp/2, date_time_value/3, day_of_the_week/2, day_of_the_year/2,
            format_time/3, format_time/4, parse_time/2, parse_time/3
          ]).

% Days since 1970-01-01. Months and days may be out of their ranges.
'$dates_days'(Year, Month, Day, Days) :-
    Month0 is Month - 3,
    Y is Year + Month0 div 12,
    M is Month0 mod 12,
    Days is 365 * Y + Y div 4 - Y div 100 + Y div 400 + (153 * M + 2) div 5 + Day - 719469.

% 400 years have 146097 days; 1970-01-01 is day 719468 after 0000-03-01.
'$dates_date'(Days, Year, Month, Day) :-
    Total is Days + 719468,
    Era is Total div 146097,
    OfEra is Total mod 146097,
    YearOfEra is (OfEra - OfEra // 1460 + OfEra // 36524 - OfEra // 146096) // 365,
    OfYear is OfEra - (365 * YearOfEra + YearOfEra // 4 - YearOfEra // 100),
    M is (5 * OfYear + 2) // 153,
    Day is OfYear - (153 * M + 2) // 5 + 1,
    Month is (M + 2) mod 12 + 1,
    Year is Era * 400 + YearOfEra + ( M + 2 ) // 12.

%!  stamp_date_time(+Stamp, -Date, +Zone) is det.
%   Zone is 'UTC', local, or an offset in seconds.
stamp_date_time(Stamp, Date, Zone) :-
    ( var(Stamp) -> throw(error(instantiation_error, _)) ; number(Stamp) -> true ; throw(error(type_error(float, Stamp), _)) ),
    must_be(nonvar, Zone),
    '$dates_zone'(Zone, Offset, Name, Saving),
    Whole is floor(Stamp),
    Nanoseconds is round((Stamp - Whole) * 1000000000),
    Local is Whole - Offset,
    Days is Local div 86400,
    OfDay is Local mod 86400,
    '$dates_date'(Days, Year, Month, Day),
    Hour is OfDay // 3600,
    Minute is OfDay // 60 mod 60,
    Second is OfDay mod 60 + Nanoseconds / 1.0e9,
    Date = date(Year, Month, Day, Hour, Minute, Second, Offset, Name, Saving).

'$dates_zone'(local, 0, 'UTC', false) :- !.
'$dates_zone'('UTC', 0, 'UTC', -) :- !.
'$dates_zone'(Offset, Offset, -, -) :- integer(Offset), !.
'$dates_zone'(Zone, _, _, _) :- throw(error(domain_error(timezone, Zone), _)).

%!  date_time_stamp(+Date, -Stamp) is det.
%   Months, days, hours, minutes and seconds may be out of their ranges.
date_time_stamp(Date, Stamp) :-
    '$dates_complete'(Date, Days, OfDay),
    Stamp is float(Days * 86400 + OfDay).

% Days and seconds, UTC. What is not known of the zone is that of the local one.
'$dates_complete'(Date, _, _) :- var(Date), !, throw(error(instantiation_error, _)).
'$dates_complete'(date(Year, Month, Day), Days, 0) :-
    !,
    maplist(must_be(integer), [Year, Month, Day]),
    '$dates_days'(Year, Month, Day, Days).
'$dates_complete'(date(Year, Month, Day, Hour, Minute, Second, Offset, Zone, Saving), Days, OfDay) :-
    !,
    ( var(Offset) -> '$dates_zone'(local, Offset, Zone, Saving) ; true ),
    maplist(must_be(integer), [Year, Month, Day, Hour, Minute, Offset]),
    must_be(number, Second),
    '$dates_days'(Year, Month, Day, Days),
    OfDay is Hour * 3600 + Minute * 60 + Second + Offset.
'$dates_complete'(Date, _, _) :- throw(error(type_error(time, Date), _)).

%!  date_time_value(?Field, +Date, ?Value) is nondet.
date_time_value(Field, date(Year, Month, Day, Hour, Minute, Second, Offset, Zone, Saving), Value) :-
    '$member'(Field-Value,
              [ year-Year, month-Month, day-Day, hour-Hour, minute-Minute, second-Second, utc_offset-Offset,
                time_zone-Zone, daylight_saving-Saving, date-date(Year, Month, Day), time-time(Hour, Minute, Second)
              ]),
    Value \== - .

%!  day_of_the_week(+Date, -Day) is det.
%   Day is 1 for Monday and 7 for Sunday; 1970-01-01 was a Thursday.
day_of_the_week(date(Year, Month, Day), OfWeek) :-
    '$dates_complete'(date(Year, Month, Day), Days, _),
    '$dates_weekday'(Days, OfWeek).

'$dates_weekday'(Days, OfWeek) :- OfWeek is (Days + 3) mod 7 + 1.

%!  day_of_the_year(+Date, -Day) is det.
day_of_the_year(date(Year, Month, Day), OfYear) :-
    '$dates_complete'(date(Year, Month, Day), Days, _),
    '$dates_days'(Year, 1, 0, Before),
    OfYear is Days - Before.

%!  format_time(+Sink, +Format, +Time) is det.
%   Time is a stamp or a date. Names of days and months are English.
format_time(Sink, Format, Time) :-
    '$dates_time'(Time, Fields),
    must_be(nonvar, Format),
    format(string(Text), '~w', [Format]),
    string_codes(Text, Directives),
    '$dates_format'(Directives, Fields, Codes, []),
    string_codes(Written, Codes),
    format(Sink, '~w', [Written]).

%!  format_time(+Sink, +Format, +Time, +Locale) is det.
format_time(Sink, Format, Time, posix) :- format_time(Sink, Format, Time).

% What is written of a time: its date and day, the seconds since 1970, and the number that has its fraction.
'$dates_time'(Time, time(Date, Days, Stamp, Time)) :-
    number(Time),
    !,
    stamp_date_time(Time, Date, local),
    Stamp is floor(Time),
    Days is Stamp div 86400.
'$dates_time'(Date, time(Full, Days, Stamp, Second)) :-
    '$dates_complete'(Date, _, _),
    (   Date = date(Year, Month, Day)
    ->  date_time_stamp(Date, Exact),
        stamp_date_time(Exact, Full, local),
        Second = 0
    ;   Full = Date,
        Full = date(Year, Month, Day, _, _, Second, _, _, _),
        date_time_stamp(Date, Exact)
    ),
    '$dates_days'(Year, Month, Day, Days),
    Stamp is floor(Exact).

'$dates_format'([], _, Codes, Codes).
'$dates_format'([0'%|Directives], Time, Codes, Rest) :-
    !,
    '$dates_directive'(Directives, Time, Directives1, Codes, Codes1),
    '$dates_format'(Directives1, Time, Codes1, Rest).
'$dates_format'([Code|Directives], Time, [Code|Codes], Rest) :- '$dates_format'(Directives, Time, Codes, Rest).

'$dates_directive'([], _, _, _, _) :- throw(error(existence_error(format, '%'), _)).
'$dates_directive'([Code|Directives], Time, Rest, Codes, Codes1) :-
    code_type(Code, digit),
    !,
    '$dates_digits'([Code|Directives], Digits, [Letter|Rest]),
    number_codes(Width, Digits),
    ( Letter == 0'f -> '$dates_fraction'(Width, Time, Codes, Codes1) ; '$dates_written'(Letter, Time, Codes, Codes1) ).
'$dates_directive'([0':, 0'z|Rest], Time, Rest, Codes, Codes1) :- !, '$dates_offset'(Time, ":", Codes, Codes1).
'$dates_directive'([Letter|Rest], Time, Rest, Codes, Codes1) :- '$dates_written'(Letter, Time, Codes, Codes1).

'$dates_digits'([Code|Codes], [Code|Digits], Rest) :- code_type(Code, digit), !, '$dates_digits'(Codes, Digits, Rest).
'$dates_digits'(Rest, [], Rest).

'$dates_written'(0'f, Time, Codes, Rest) :- !, '$dates_fraction'(6, Time, Codes, Rest).
'$dates_written'(0'z, Time, Codes, Rest) :- !, '$dates_offset'(Time, "", Codes, Rest).
'$dates_written'(Letter, Time, Codes, Rest) :-
    char_code(Char, Letter),
    '$dates_abbreviation'(Char, Format),
    !,
    string_codes(Format, Directives),
    '$dates_format'(Directives, Time, Codes, Rest).
'$dates_written'(Letter, time(Date, Days, Stamp, _), Codes, Rest) :-
    char_code(Char, Letter),
    '$dates_value'(Char, Date, Days, Stamp, Format, Value),
    !,
    format(codes(Codes0), Format, [Value]),
    append(Codes0, Rest, Codes).
'$dates_written'(Letter, _, _, _) :- format(atom(Directive), '%~c', [Letter]), throw(error(existence_error(format, Directive), _)).

'$dates_abbreviation'(c, "%a %b %e %H:%M:%S %Y").
'$dates_abbreviation'(+, "%a %b %e %H:%M:%S %Y").
'$dates_abbreviation'('D', "%m/%d/%y").
'$dates_abbreviation'(x, "%m/%d/%y").
'$dates_abbreviation'('F', "%Y-%m-%d").
'$dates_abbreviation'(h, "%b").
'$dates_abbreviation'('R', "%H:%M").
'$dates_abbreviation'('T', "%H:%M:%S").
'$dates_abbreviation'('X', "%H:%M:%S").
'$dates_abbreviation'(r, "%I:%M:%S %p").

'$dates_value'(a, _, Days, _, '~w', Name) :- '$dates_weekday'(Days, N), '$dates_day_name'(N, Full), sub_atom(Full, 0, 3, _, Name).
'$dates_value'('A', _, Days, _, '~w', Name) :- '$dates_weekday'(Days, N), '$dates_day_name'(N, Name).
'$dates_value'(b, Date, _, _, '~w', Name) :- arg(2, Date, N), '$dates_month_name'(N, Full), sub_atom(Full, 0, 3, _, Name).
'$dates_value'('B', Date, _, _, '~w', Name) :- arg(2, Date, N), '$dates_month_name'(N, Name).
'$dates_value'('C', Date, _, _, '~|~`0t~d~2+', Century) :- arg(1, Date, Year), Century is Year div 100.
'$dates_value'(d, Date, _, _, '~|~`0t~d~2+', Day) :- arg(3, Date, Day).
'$dates_value'(e, Date, _, _, '~|~t~d~2+', Day) :- arg(3, Date, Day).
'$dates_value'(g, _, Days, _, '~|~`0t~d~2+', Short) :- '$dates_week'(Days, Year, _), Short is Year mod 100.
'$dates_value'('G', _, Days, _, '~d', Year) :- '$dates_week'(Days, Year, _).
'$dates_value'('V', _, Days, _, '~|~`0t~d~2+', Week) :- '$dates_week'(Days, _, Week).
'$dates_value'('H', Date, _, _, '~|~`0t~d~2+', Hour) :- arg(4, Date, Hour).
'$dates_value'('I', Date, _, _, '~|~`0t~d~2+', Hour) :- arg(4, Date, Hour0), Hour is (Hour0 + 11) mod 12 + 1.
'$dates_value'(j, Date, Days, _, '~|~`0t~d~3+', OfYear) :- '$dates_of_year'(Date, Days, OfYear).
'$dates_value'(k, Date, _, _, '~|~t~d~2+', Hour) :- arg(4, Date, Hour).
'$dates_value'(l, Date, _, _, '~|~t~d~2+', Hour) :- arg(4, Date, Hour0), Hour is (Hour0 + 11) mod 12 + 1.
'$dates_value'(m, Date, _, _, '~|~`0t~d~2+', Month) :- arg(2, Date, Month).
'$dates_value'('M', Date, _, _, '~|~`0t~d~2+', Minute) :- arg(5, Date, Minute).
'$dates_value'(n, _, _, _, '~w', '\n').
'$dates_value'(p, Date, _, _, '~w', Half) :- arg(4, Date, Hour), ( Hour < 12 -> Half = 'AM' ; Half = 'PM' ).
'$dates_value'('P', Date, _, _, '~w', Half) :- arg(4, Date, Hour), ( Hour < 12 -> Half = am ; Half = pm ).
'$dates_value'(s, _, _, Stamp, '~d', Stamp).
'$dates_value'('S', Date, _, _, '~|~`0t~d~2+', Second) :- arg(6, Date, Second0), Second is truncate(Second0).
'$dates_value'(t, _, _, _, '~w', '\t').
'$dates_value'(u, _, Days, _, '~d', OfWeek) :- '$dates_weekday'(Days, OfWeek).
'$dates_value'('U', Date, Days, _, '~|~`0t~d~2+', Week) :-
    '$dates_of_year'(Date, Days, OfYear),
    '$dates_weekday'(Days, OfWeek),
    Week is (OfYear + 6 - OfWeek mod 7) // 7.
'$dates_value'(w, _, Days, _, '~d', Day) :- '$dates_weekday'(Days, OfWeek), Day is OfWeek mod 7.
'$dates_value'('W', Date, Days, _, '~|~`0t~d~2+', Week) :-
    '$dates_of_year'(Date, Days, OfYear),
    '$dates_weekday'(Days, OfWeek),
    Week is (OfYear + 7 - OfWeek) // 7.
'$dates_value'(y, Date, _, _, '~|~`0t~d~2+', Short) :- arg(1, Date, Year), Short is Year mod 100.
'$dates_value'('Y', Date, _, _, '~d', Year) :- arg(1, Date, Year).
'$dates_value'('Z', Date, _, _, '~w', Zone) :- arg(8, Date, Zone0), ( Zone0 == (-) -> Zone = 'UTC' ; Zone = Zone0 ).
'$dates_value'('%', _, _, _, '~w', '%').

'$dates_of_year'(Date, Days, OfYear) :- arg(1, Date, Year), '$dates_days'(Year, 1, 0, Before), OfYear is Days - Before.

% Weeks of ISO 8601 belong to the year that has their Thursday.
'$dates_week'(Days, Year, Week) :-
    '$dates_weekday'(Days, OfWeek),
    Thursday is Days - OfWeek + 4,
    '$dates_date'(Thursday, Year, _, _),
    '$dates_days'(Year, 1, 1, First),
    Week is (Thursday - First) // 7 + 1.

% As many digits behind the point, those of the number without its sign; never so many that a second is full.
'$dates_fraction'(0, _, Codes, Codes) :- !.
'$dates_fraction'(Width, time(_, _, _, Number), Codes, Rest) :-
    Fraction is abs(Number) - floor(abs(Number)),
    Units is min(round(Fraction * 10 ** Width), 10 ** Width - 1),
    format(codes(Codes0), '~|~`0t~d~*+', [Units, Width]),
    append(Codes0, Rest, Codes).

'$dates_offset'(time(Date, _, _, _), Separator, Codes, Rest) :-
    arg(7, Date, Offset),
    ( Offset =< 0 -> Sign = + ; Sign = (-) ),
    Hours is abs(Offset) // 3600,
    Minutes is abs(Offset) // 60 mod 60,
    format(codes(Codes0), '~w~|~`0t~d~2+~w~|~`0t~d~2+', [Sign, Hours, Separator, Minutes]),
    append(Codes0, Rest, Codes).

'$dates_day_name'(1, 'Monday').
'$dates_day_name'(2, 'Tuesday').
'$dates_day_name'(3, 'Wednesday').
'$dates_day_name'(4, 'Thursday').
'$dates_day_name'(5, 'Friday').
'$dates_day_name'(6, 'Saturday').
'$dates_day_name'(7, 'Sunday').

'$dates_month_name'(1, 'January').
'$dates_month_name'(2, 'February').
'$dates_month_name'(3, 'March').
'$dates_month_name'(4, 'April').
'$dates_month_name'(5, 'May').
'$dates_month_name'(6, 'June').
'$dates_month_name'(7, 'July').
'$dates_month_name'(8, 'August').
'$dates_month_name'(9, 'September').
'$dates_month_name'(10, 'October').
'$dates_month_name'(11, 'November').
'$dates_month_name'(12, 'December').

%!  parse_time(+Text, -Stamp) is semidet.
parse_time(Text, Stamp) :- parse_time(Text, _, Stamp).

%!  parse_time(+Text, ?Format, -Stamp) is semidet.
%   Format is iso_8601 or rfc_1123.
parse_time(Text, Format, Stamp) :-
    must_be(nonvar, Text),
    text_to_string(Text, String),
    string_codes(String, Codes),
    '$dates_known_format'(Format),
    '$dates_parse'(Format, Date, Codes, []),
    !,
    date_time_stamp(Date, Stamp).

'$dates_known_format'(iso_8601).
'$dates_known_format'(rfc_1123).

'$dates_parse'(iso_8601, Date, Cs, Rest) :-
    '$dates_iso_day'(Year, Month, Day, Cs, Cs1),
    '$dates_iso_time'(Hour, Minute, Second, Offset, Cs1, Rest),
    Date = date(Year, Month, Day, Hour, Minute, Second, Offset, -, -).
'$dates_parse'(rfc_1123, date(Year, Month, Day, Hour, Minute, Second, Offset, -, -), Cs, Rest) :-
    '$dates_name'(Cs, '$dates_day_name', _, [0',, 0' |Cs1]),
    '$dates_number'(2, 1, 31, Day, Cs1, [0' |Cs2]),
    '$dates_name'(Cs2, '$dates_month_name', Month, [0' |Cs3]),
    '$dates_number'(4, 0, 9999, Year, Cs3, [0' |Cs4]),
    '$dates_number'(2, 0, 23, Hour, Cs4, [0':|Cs5]),
    '$dates_number'(2, 0, 59, Minute, Cs5, [0':|Cs6]),
    '$dates_number'(2, 0, 60, Second, Cs6, [0' |Cs7]),
    ( append(`GMT`, Rest, Cs7) -> Offset = 0 ; '$dates_iso_zone'(Offset, Cs7, Rest) ).

% A name by its first three letters.
'$dates_name'(Cs, Names, Number, Rest) :-
    Cs = [A, B, C|Rest],
    atom_codes(Short, [A, B, C]),
    Goal =.. [Names, Number, Name],
    call(Goal),
    sub_atom(Name, 0, 3, _, Short),
    !.

% A number of so many digits and not out of its range.
'$dates_number'(Width, Low, High, Number, Cs, Rest) :-
    length(Digits, Width),
    append(Digits, Rest, Cs),
    '$dates_digits'(Digits, Digits, []),
    number_codes(Number, Digits),
    Number >= Low,
    Number =< High.

'$dates_iso_day'(Year, Month, Day, [0'-|Cs], Rest) :-
    '$dates_iso_day'(Positive, Month, Day, Cs, Rest),
    Year is -Positive.
'$dates_iso_day'(Year, Month, Day, Cs, Rest) :-
    '$dates_number'(4, 0, 9999, Year, Cs, Cs1),
    '$dates_iso_of_year'(Month, Day, Year, Cs1, Rest).

'$dates_iso_of_year'(Month, Day, _, [0'-|Cs], Rest) :-
    '$dates_number'(2, 1, 12, Month, Cs, [0'-|Cs1]),
    '$dates_number'(2, 1, 31, Day, Cs1, Rest).
'$dates_iso_of_year'(Month, Day, _, Cs, Rest) :-
    '$dates_number'(2, 1, 12, Month, Cs, Cs1),
    '$dates_number'(2, 1, 31, Day, Cs1, Rest).
'$dates_iso_of_year'(1, Day, Year, [0'-, 0'W|Cs], Rest) :-
    '$dates_number'(2, 1, 53, Week, Cs, [0'-|Cs1]),
    '$dates_number'(1, 1, 7, OfWeek, Cs1, Rest),
    '$dates_of_week'(Year, Week, OfWeek, Day).
'$dates_iso_of_year'(1, Day, Year, [0'W|Cs], Rest) :-
    '$dates_number'(2, 1, 53, Week, Cs, Cs1),
    '$dates_number'(1, 1, 7, OfWeek, Cs1, Rest),
    '$dates_of_week'(Year, Week, OfWeek, Day).
'$dates_iso_of_year'(1, Day, _, [0'-|Cs], Rest) :- '$dates_number'(3, 1, 366, Day, Cs, Rest).
'$dates_iso_of_year'(Month, 1, _, [0'-|Cs], Rest) :- '$dates_number'(2, 1, 12, Month, Cs, Rest).

% The day of the year; the 4th of January is in the first week.
'$dates_of_week'(Year, Week, OfWeek, Day) :-
    day_of_the_week(date(Year, 1, 4), Fourth),
    Day is 4 - Fourth + (Week - 1) * 7 + OfWeek.

'$dates_iso_time'(0, 0, 0, 0, [], []).
'$dates_iso_time'(Hour, Minute, Second, Offset, [Separator|Cs], Rest) :-
    ( Separator == 0'T ; Separator == 0'  ),
    '$dates_number'(2, 0, 23, Hour, Cs, Cs1),
    '$dates_iso_minutes'(Minute, Second, Cs1, Cs2),
    '$dates_iso_zone'(Offset, Cs2, Rest).

'$dates_iso_minutes'(Minute, Second, [0':|Cs], Rest) :-
    '$dates_number'(2, 0, 59, Minute, Cs, Cs1),
    ( Cs1 = [0':|Cs2] -> '$dates_iso_seconds'(Second, Cs2, Rest) ; Second = 0, Rest = Cs1 ).
'$dates_iso_minutes'(Minute, Second, Cs, Rest) :-
    '$dates_number'(2, 0, 59, Minute, Cs, Cs1),
    ( Cs1 = [C|_], code_type(C, digit) -> '$dates_iso_seconds'(Second, Cs1, Rest) ; Second = 0, Rest = Cs1 ).
'$dates_iso_minutes'(0, 0, Rest, Rest).

'$dates_iso_seconds'(Second, Cs, Rest) :-
    '$dates_number'(2, 0, 60, Whole, Cs, Cs1),
    (   Cs1 = [Point|Cs2], ( Point == 0'. ; Point == 0', ), '$dates_digits'(Cs2, [Digit|Digits], Rest0)
    ->  number_codes(Second0, [0'0, 0'., Digit|Digits]),
        Second is Whole + Second0,
        Rest = Rest0
    ;   Second = Whole,
        Rest = Cs1
    ).

% Seconds west of Greenwich.
'$dates_iso_zone'(0, [], []).
'$dates_iso_zone'(0, [0'Z|Rest], Rest).
'$dates_iso_zone'(Offset, [Sign|Cs], Rest) :-
    '$dates_sign'(Sign, Factor),
    '$dates_number'(2, 0, 23, Hours, Cs, Cs1),
    (   Cs1 = [0':|Cs2]
    ->  '$dates_number'(2, 0, 59, Minutes, Cs2, Rest)
    ;   Cs1 = []
    ->  Minutes = 0,
        Rest = []
    ;   '$dates_number'(2, 0, 59, Minutes, Cs1, Rest)
    ),
    Offset is Factor * (Hours * 3600 + Minutes * 60).

'$dates_sign'(0'+, -1).
'$dates_sign'(0'-, 1).
