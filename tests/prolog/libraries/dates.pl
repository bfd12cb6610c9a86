% dates.pl – days of the Gregorian calendar, time stamps, and how they are written.

written(Format, Time, Text) :- format_time(atom(Text), Format, Time).

%? stamp_date_time(0, D, 'UTC').
%= D = date(1970,1,1,0,0,0.0,0,'UTC',-)
%? stamp_date_time(1165591784.25, D, 3600).
%= D = date(2006,12,8,14,29,44.25,3600,-,-)
%? stamp_date_time(-1, D, 'UTC').
%= D = date(1969,12,31,23,59,59.0,0,'UTC',-)
%? stamp_date_time(951782400, D, 0).
%= D = date(2000,2,29,0,0,0.0,0,-,-)
%? stamp_date_time(-62135596801, D, 0).
%= D = date(0,12,31,23,59,59.0,0,-,-)
%? stamp_date_time(a, D, 0).
%= error: type_error(float,a)
%? stamp_date_time(0, D, 'CET').
%= error: domain_error(timezone,'CET')
%? date_time_stamp(date(2006, 12, 8, 17, 29, 44.5, -7200, -, -), S).
%= S = 1165591784.5
%? date_time_stamp(date(2004, 2, 29), S).
%= S = 1078012800.0
%? date_time_stamp(date(2006, 14, 31, 25, 61, 61, 0, -, -), S).
%= S = 1172973721.0
%? date_time_stamp(date(2006, _, 1), S).
%= error: instantiation_error
%? date_time_stamp(today, S).
%= error: type_error(time,today)
%? date_time_value(F, date(2006, 12, 8, 17, 29, 44.5, 0, 'UTC', -), V).
%= F = year, V = 2006
%= F = month, V = 12
%= F = day, V = 8
%= F = hour, V = 17
%= F = minute, V = 29
%= F = second, V = 44.5
%= F = utc_offset, V = 0
%= F = time_zone, V = 'UTC'
%= F = date, V = date(2006,12,8)
%= F = time, V = time(17,29,44.5)
%? day_of_the_week(date(2000, 2, 29), W), day_of_the_year(date(2000, 12, 31), Y).
%= W = 2, Y = 366
%? written('%F %T.%3f %z %Z', 1165591784.256, T).
%= T = '2006-12-08 15:29:44.256 +0000 UTC'
%? written('%a %A %b %B %h %d %e %j %m %y %C %Y', 1165591784, T).
%= T = 'Fri Friday Dec December Dec 08  8 342 12 06 20 2006'
%? written('%H %I %k %l %M %p %P %S %s %u %w %%', 1165591784, T).
%= T = '15 03 15  3 29 PM pm 44 1165591784 5 5 %'
%? written('%c|%D|%R|%r|%x|%X|%+', 0, T).
%= T = 'Thu Jan  1 00:00:00 1970|01/01/70|00:00|12:00:00 AM|01/01/70|00:00:00|Thu Jan  1 00:00:00 1970'
%? written('%G-W%V-%u %g %U %W', date(2008, 12, 29), T), written('%G-W%V %U %W', date(2010, 1, 3), T2).
%= T = '2009-W01-1 09 52 52', T2 = '2009-W53 01 00'
%? written('%H:%M %z %:z', date(2006, 12, 8, 1, 2, 3.7, -5400, -, -), T).
%= T = '01:02 +0130 +01:30'
%? written('%Q', 0, T).
%= error: existence_error(format,'%Q')
%? parse_time('2006-12-08T17:29:44+02:00', F, S).
%= F = iso_8601, S = 1165591784.0
%? parse_time('20061208T172944.5Z', S), parse_time('2006-12-08 17:29', S2), parse_time('2006-12-08T17-01', S3).
%= S = 1165598984.5, S2 = 1165598940.0, S3 = 1165600800.0
%? parse_time('2006-W49-5', S), parse_time('2006W495', S), parse_time('2006-342', S), parse_time("20061208", S).
%= S = 1165536000.0
%? parse_time('2006-12', S).
%= S = 1164931200.0
%~ SWI-Prolog 9.0 gives the day before
%? parse_time('Fri, 08 Dec 2006 15:29:44 GMT', F, S).
%= F = rfc_1123, S = 1165591784.0
%? parse_time('2006-13-08', S).
%= false
%? parse_time('8 Dec 2006', S).
%= false
