// Written by tests/oracle/tables/main.go from the zones that Go embeds; not edited by hand.

export const firstYear = 2020;

/**
 * Zones with equal clocks: the rule that holds in the end, as POSIX writes TZ; seconds ahead of UTC when `firstYear` begins; the changes
 * until the rule holds (minutes since the one before, in base 36, `:` seconds ahead of UTC); the names.
 */
export const zoneTable = `<+00>0<+02>-2,M3.5.0/1,M10.5.0/3|0||Antarctica/Troll
<+01>-1|3600||Etc/GMT-1
<+01>-1|3600|3d7c:0 1ao0:3600 9q00:0 12w0:3600 9q00:0 1ao0:3600 9q00:0 12w0:3600 9xs0:0 12w0:3600 9q00:0 1ao0:3600 9q00:0 12w0:3600 9xs0:0 12w0:3600 9q00:0 1ao0:3600 9q00:0 12w0:3600 9q00:0 1ao0:3600 9q00:0 12w0:3600 9xs0:0 12w0:3600 9q00:0 1ao0:3600 9q00:0 12w0:3600 9q00:0 1ao0:3600 9q00:0 1ao0:3600 9q00:0 12w0:3600 9q00:0 1ao0:3600 9q00:0 12w0:3600 9xs0:0 12w0:3600 9q00:0 1ao0:3600 9q00:0 12w0:3600 9q00:0 1ao0:3600 9q00:0 1ao0:3600 9q00:0 12w0:3600 9q00:0 1ao0:3600 9q00:0 12w0:3600 9xs0:0 12w0:3600 9q00:0 1ao0:3600 9q00:0 12w0:3600 9q00:0 1ao0:3600 9q00:0 1ao0:3600 9q00:0 12w0:3600 9q00:0 1ao0:3600 9q00:0 12w0:3600 9xs0:0 12w0:3600 9q00:0 1ao0:3600 9q00:0 12w0:3600 9q00:0 1ao0:3600 9q00:0 1ao0:3600 9q00:0 12w0:3600 9q00:0 1ao0:3600 9q00:0 12w0:3600 9xs0:0 12w0:3600 9q00:0 1ao0:3600 9q00:0 12w0:3600 9q00:0 1ao0:3600 9q00:0 1ao0:3600 9q00:0 12w0:3600 9q00:0 1ao0:3600 9q00:0 12w0:3600 9xs0:0 12w0:3600 9q00:0 1ao0:3600 9q00:0 12w0:3600 9q00:0 1ao0:3600 9q00:0 1ao0:3600 9q00:0 12w0:3600 9q00:0 1ao0:3600 9q00:0 12w0:3600 9xs0:0 12w0:3600 9q00:0 1ao0:3600 9q00:0 12w0:3600 9q00:0 1ao0:3600 9q00:0 12w0:3600 9xs0:0 12w0:3600 9q00:0 1ao0:3600 9q00:0 12w0:3600 9xs0:0 12w0:3600 9q00:0 1ao0:3600|Africa/Casablanca Africa/El_Aaiun
<+02>-2|7200||Etc/GMT-2
<+0330>-3:30|12600|2gq6:16200 5oec:12600 5m9o:16200 5oec:12600 5l5o:16200 5oec:12600|Asia/Tehran Iran
<+03>-3|10800||Antarctica/Syowa Asia/Aden Asia/Baghdad Asia/Bahrain Asia/Istanbul Asia/Kuwait Asia/Qatar Asia/Riyadh Etc/GMT-3 Europe/Istanbul Europe/Minsk Turkey
<+03>-3|7200|2ngo:10800 6p2c:7200 4jdo:10800 6p2c:7200 4jdo:10800|Asia/Damascus
<+03>-3|7200|2ngo:10800 6p40:7200 4jc0:10800 6p40:7200 3o80:10800|Asia/Amman
<+0430>-4:30|16200||Asia/Kabul
<+04>-4|14400||Asia/Baku Asia/Dubai Asia/Muscat Asia/Tbilisi Asia/Yerevan Etc/GMT-4 Europe/Astrakhan Europe/Samara Europe/Saratov Europe/Ulyanovsk Indian/Mahe Indian/Mauritius Indian/Reunion
<+0530>-5:30|19800||Asia/Colombo
<+0545>-5:45|20700||Asia/Kathmandu Asia/Katmandu
<+05>-5|18000||Antarctica/Mawson Asia/Aqtau Asia/Aqtobe Asia/Ashgabat Asia/Ashkhabad Asia/Atyrau Asia/Dushanbe Asia/Oral Asia/Qyzylorda Asia/Samarkand Asia/Tashkent Asia/Yekaterinburg Etc/GMT-5 Indian/Kerguelen Indian/Maldives
<+05>-5|21600|1axq0:18000|Asia/Almaty Asia/Qostanay
<+05>-5|25200|18njo:18000|Antarctica/Vostok
<+0630>-6:30|23400||Asia/Rangoon Asia/Yangon Indian/Cocos
<+06>-6|21600||Asia/Bishkek Asia/Dacca Asia/Dhaka Asia/Kashgar Asia/Omsk Asia/Thimbu Asia/Thimphu Asia/Urumqi Etc/GMT-6 Indian/Chagos
<+07>-7|25200||Antarctica/Davis Asia/Bangkok Asia/Barnaul Asia/Ho_Chi_Minh Asia/Hovd Asia/Krasnoyarsk Asia/Novokuznetsk Asia/Novosibirsk Asia/Phnom_Penh Asia/Saigon Asia/Tomsk Asia/Vientiane Etc/GMT-7 Indian/Christmas
<+0845>-8:45|31500||Australia/Eucla
<+08>-8|28800||Asia/Brunei Asia/Choibalsan Asia/Irkutsk Asia/Kuala_Lumpur Asia/Kuching Asia/Singapore Asia/Ulaanbaatar Asia/Ulan_Bator Etc/GMT-8 Singapore
<+08>-8|39600|222o:28800 6hc1:39600 4yqz:28800 69p1:39600 4yqz:28800 69p1:39600 4vjz:28800|Antarctica/Casey
<+09>-9|32400||Asia/Chita Asia/Dili Asia/Khandyga Asia/Yakutsk Etc/GMT-9 Pacific/Palau
<+1030>-10:30<+11>-11,M10.1.0,M4.1.0|37800||Australia/LHI Australia/Lord_Howe
<+10>-10|36000||Antarctica/DumontDUrville Asia/Ust-Nera Asia/Vladivostok Etc/GMT-10 Pacific/Chuuk Pacific/Port_Moresby Pacific/Truk Pacific/Yap
<+11>-11<+12>,M10.1.0,M4.1.0/3|39600||Pacific/Norfolk
<+11>-11|39600||Asia/Magadan Asia/Sakhalin Asia/Srednekolymsk Etc/GMT-11 Pacific/Bougainville Pacific/Efate Pacific/Guadalcanal Pacific/Kosrae Pacific/Noumea Pacific/Pohnpei Pacific/Ponape
<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45|49500||NZ-CHAT Pacific/Chatham
<+12>-12|43200||Asia/Anadyr Asia/Kamchatka Etc/GMT-12 Kwajalein Pacific/Funafuti Pacific/Kwajalein Pacific/Majuro Pacific/Nauru Pacific/Tarawa Pacific/Wake Pacific/Wallis
<+12>-12|46800|brc:43200 al40:46800 v40:43200|Pacific/Fiji
<+13>-13|46800||Etc/GMT-13 Pacific/Enderbury Pacific/Fakaofo Pacific/Kanton Pacific/Tongatapu
<+13>-13|50400|2x3c:46800 5eg0:50400 5u00:46800|Pacific/Apia
<+14>-14|50400||Etc/GMT-14 Pacific/Kiritimati
<-00>0|0||Factory
<-01>1<+00>,M3.5.0/0,M10.5.0/1|0||Atlantic/Azores
<-01>1|-3600||Atlantic/Cape_Verde Etc/GMT+1
<-02>2<-01>,M3.5.0/-1,M10.5.0/0|-10800|2pto:-7200 6hc0:-10800 4r40:-7200 6p40:-10800 4jc0:-7200 6p40:-10800 4jc0:-7200|America/Godthab America/Nuuk
<-02>2<-01>,M3.5.0/-1,M10.5.0/0|-3600|2pto:0 6hc0:-3600 4r40:0 6p40:-3600 4jc0:0 6p40:-3600 4jc0:0 6p40:-3600|America/Scoresbysund
<-02>2|-7200||America/Noronha Atlantic/South_Georgia Brazil/DeNoronha Etc/GMT+2
<-03>3<-02>,M3.2.0,M11.1.0|-7200||America/Miquelon
<-03>3|-10800||America/Araguaina America/Argentina/Buenos_Aires America/Argentina/Catamarca America/Argentina/ComodRivadavia America/Argentina/Cordoba America/Argentina/Jujuy America/Argentina/La_Rioja America/Argentina/Mendoza America/Argentina/Rio_Gallegos America/Argentina/Salta America/Argentina/San_Juan America/Argentina/San_Luis America/Argentina/Tucuman America/Argentina/Ushuaia America/Bahia America/Belem America/Buenos_Aires America/Catamarca America/Cayenne America/Cordoba America/Fortaleza America/Jujuy America/Maceio America/Mendoza America/Montevideo America/Paramaribo America/Punta_Arenas America/Recife America/Rosario America/Santarem America/Sao_Paulo Antarctica/Palmer Antarctica/Rothera Atlantic/Stanley Brazil/East Etc/GMT+3
<-03>3|-10800|2i50:-14400 61to:-10800 5eec:-14400 5u1o:-10800 5eec:-14400 5u1o:-10800 5eec:-14400 5u1o:-10800 5eec:-14400 61to:-10800|America/Asuncion
<-03>3|-10800|2xp0:-14400 4r5o:-10800 6hac:-14400 4r5o:-10800 6hac:-14400 4yxo:-10800 69ic:-14400 4r5o:-10800 6p2c:-14400 4r5o:-10800|America/Coyhaique
<-04>4<-03>,M9.1.6/24,M4.1.6/24|-10800|2xp0:-14400 4r5o:-10800 6hac:-14400 4r5o:-10800 6hac:-14400 4yxo:-10800 69ic:-14400|America/Santiago Chile/Continental
<-04>4|-14400||America/Boa_Vista America/Campo_Grande America/Caracas America/Cuiaba America/Guyana America/La_Paz America/Manaus America/Porto_Velho Brazil/West Etc/GMT+4
<-05>5|-18000||America/Bogota America/Eirunepe America/Guayaquil America/Lima America/Porto_Acre America/Rio_Branco Brazil/Acre Etc/GMT+5
<-06>6<-05>,M9.1.6/22,M4.1.6/22|-18000|2xp0:-21600 4r5o:-18000 6hac:-21600 4r5o:-18000 6hac:-21600 4yxo:-18000 69ic:-21600|Chile/EasterIsland Pacific/Easter
<-06>6|-21600||Etc/GMT+6 Pacific/Galapagos
<-07>7|-25200||Etc/GMT+7
<-08>8|-28800||Etc/GMT+8 Pacific/Pitcairn
<-0930>9:30|-34200||Pacific/Marquesas
<-09>9|-32400||Etc/GMT+9 Pacific/Gambier
<-10>10|-36000||Etc/GMT+10 Pacific/Rarotonga Pacific/Tahiti
<-11>11|-39600||Etc/GMT+11 Pacific/Niue
<-12>12|-43200||Etc/GMT+12
ACST-9:30ACDT,M10.1.0,M4.1.0/3|34200||Australia/Adelaide Australia/Broken_Hill Australia/South Australia/Yancowinna
ACST-9:30|34200||Australia/Darwin Australia/North
AEST-10AEDT,M10.1.0,M4.1.0/3|36000||Australia/ACT Australia/Canberra Australia/Melbourne Australia/NSW Australia/Sydney Australia/Victoria
AEST-10AEDT,M10.1.0,M4.1.0/3|39600||Antarctica/Macquarie Australia/Currie Australia/Hobart Australia/Tasmania
AEST-10|36000||Australia/Brisbane Australia/Lindeman Australia/Queensland
AKST9AKDT,M3.2.0,M11.1.0|-28800||America/Anchorage America/Juneau America/Nome America/Sitka America/Yakutat US/Alaska
AKST9AKDT,M3.2.0,M11.1.0|-32400||America/Metlakatla
AST4ADT,M3.2.0,M11.1.0|-10800||America/Glace_Bay America/Goose_Bay America/Halifax America/Thule Atlantic/Bermuda Canada/Atlantic
AST4ADT,M3.2.0,M11.1.0|-14400||America/Moncton
AST4|-14400||America/Anguilla America/Antigua America/Aruba America/Barbados America/Blanc-Sablon America/Curacao America/Dominica America/Grenada America/Guadeloupe America/Kralendijk America/Lower_Princes America/Marigot America/Martinique America/Montserrat America/Port_of_Spain America/Puerto_Rico America/Santo_Domingo America/St_Barthelemy America/St_Kitts America/St_Lucia America/St_Thomas America/St_Vincent America/Tortola America/Virgin
AWST-8|28800||Australia/Perth Australia/West
CAT-2|10800|c8z0:7200|Africa/Juba
CAT-2|7200||Africa/Blantyre Africa/Bujumbura Africa/Gaborone Africa/Harare Africa/Khartoum Africa/Kigali Africa/Lubumbashi Africa/Lusaka Africa/Maputo Africa/Windhoek
CET-1CEST,M3.5.0,M10.5.0/3|7200||Africa/Ceuta Arctic/Longyearbyen Atlantic/Jan_Mayen CET Europe/Amsterdam Europe/Andorra Europe/Belgrade Europe/Berlin Europe/Bratislava Europe/Brussels Europe/Budapest Europe/Busingen Europe/Copenhagen Europe/Gibraltar Europe/Ljubljana Europe/Luxembourg Europe/Madrid Europe/Malta Europe/Monaco Europe/Oslo Europe/Paris Europe/Podgorica Europe/Prague Europe/Rome Europe/San_Marino Europe/Sarajevo Europe/Skopje Europe/Stockholm Europe/Tirane Europe/Vaduz Europe/Vatican Europe/Vienna Europe/Warsaw Europe/Zagreb Europe/Zurich MET Poland
CET-1|3600||Africa/Algiers Africa/Tunis
CST-8|28800||Asia/Chongqing Asia/Chungking Asia/Harbin Asia/Macao Asia/Macau Asia/Shanghai Asia/Taipei PRC ROC
CST5CDT,M3.2.0/0,M11.1.0/1|-18000||America/Havana Cuba
CST6CDT,M3.2.0,M11.1.0|-18000||America/Chicago America/Indiana/Knox America/Indiana/Tell_City America/Knox_IN America/Menominee America/North_Dakota/Center America/North_Dakota/New_Salem America/Rainy_River America/Rankin_Inlet America/Resolute America/Winnipeg CST6CDT Canada/Central US/Central US/Indiana-Starke
CST6CDT,M3.2.0,M11.1.0|-21600||America/Matamoros America/North_Dakota/Beulah
CST6CDT,M3.2.0,M11.1.0|-25200|22v0:-21600 7cec:-25200 43to:-21600 7cec:-25200 3w1o:-21600|America/Ojinaga
CST6|-21600||America/Belize America/Costa_Rica America/El_Salvador America/Guatemala America/Managua America/Regina America/Swift_Current America/Tegucigalpa Canada/Saskatchewan
CST6|-21600|2xxc:-18000 69ic:-21600 4yxo:-18000 6hac:-21600 4r5o:-18000 6hac:-21600|America/Bahia_Banderas America/Merida America/Mexico_City America/Monterrey Mexico/General
CST6|-25200|2xz0:-21600 69ic:-25200 4yxo:-21600 6hac:-25200 4r5o:-21600|America/Chihuahua
ChST-10|36000||Pacific/Guam Pacific/Saipan
EAT-3|10800||Africa/Addis_Ababa Africa/Asmara Africa/Asmera Africa/Dar_es_Salaam Africa/Djibouti Africa/Kampala Africa/Mogadishu Africa/Nairobi Indian/Antananarivo Indian/Comoro Indian/Mayotte
EET-2EEST,M3.4.4/50,M10.4.4/50|7200|2oko:10800 6hc0:7200 4r40:10800 6o00:7200 4lk0:10800 6o1o:7200 5m9o:10800 5m6c:7200 5eho:10800 5tyc:7200 56po:10800 61qc:7200 4r5o:10800 6hac:7200 4r5o:10800 6p2c:7200 4jdo:10800 6p2c:7200 4jdo:10800 6p2c:7200 4r5o:10800 6hac:7200 4r5o:10800 6hac:7200 4r5o:10800 6p2c:7200 4jdo:10800 6p2c:7200 4jdo:10800 6p2c:7200 4jdo:10800 6p2c:7200 4r5o:10800 69ic:7200 4yxo:10800 61qc:7200 56po:10800 5m6c:7200 5m9o:10800 5eec:7200 5u1o:10800 4yuc:7200 1iho:10800 7qc:7200 4r5o:10800 4jac:7200 1apo:10800 nac:7200 4r5o:10800 4bic:7200 1apo:10800 v2c:7200 4r5o:10800 3vyc:7200 1iho:10800 12uc:7200 4r5o:10800 3o6c:7200 1apo:10800 1q6c:7200 4jdo:10800 3gec:7200 1apo:10800 1xyc:7200 4jdo:10800 30uc:7200 1iho:10800 25qc:7200 4r5o:10800 2lac:7200 1apo:10800 2lac:7200 4r5o:10800 25qc:7200 1iho:10800 2t2c:7200 4r5o:10800 1xyc:7200 1apo:10800 3gec:7200 4jdo:10800 1q6c:7200 1apo:10800 3o6c:7200 4jdo:10800 1amc:7200 1iho:10800 3vyc:7200 4r5o:10800 v2c:7200 1apo:10800 4bic:7200 4r5o:10800 fic:7200 1iho:10800 4jac:7200 4r5o:10800 7qc:7200 1iho:10800 4r2c:7200 61to:10800 5eec:7200 5m9o:10800 5m6c:7200 56po:10800 61qc:7200 4yxo:10800 69ic:7200 4r5o:10800 6hac:7200 4r5o:10800 6p2c:7200 4jdo:10800 6p2c:7200 4jdo:10800 6p2c:7200 4jdo:10800 6p2c:7200 4r5o:10800 6hac:7200 4r5o:10800 6hac:7200 4r5o:10800 6p2c:7200 4jdo:10800 6p2c:7200 4jdo:10800 6hac:7200 4yxo:10800 61qc:7200 56po:10800 5tyc:7200 5eho:10800 5eec:7200 5u1o:10800 56mc:7200 1apo:10800 7qc:7200 4jdo:10800 4yuc:7200 1apo:10800 fic:7200 4jdo:10800 4jac:7200 1iho:10800 nac:7200 4r5o:10800 43qc:7200 1apo:10800 12uc:7200 4r5o:10800 3o6c:7200 1iho:10800 1amc:7200 4r5o:10800 3gec:7200 1iho:10800 1q6c:7200 4jdo:10800 38mc:7200 1apo:10800 25qc:7200 4jdo:10800 2t2c:7200 1iho:10800 2dic:7200 4r5o:10800 2dic:7200 1apo:10800 2t2c:7200 4r5o:10800 25qc:7200 1apo:10800 30uc:7200 4r5o:10800 1q6c:7200 1iho:10800 38mc:7200 4r5o:10800 1iec:7200 1apo:10800 3vyc:7200 4jdo:10800 12uc:7200 1iho:10800 43qc:7200 4jdo:10800 v2c:7200 1iho:10800 4bic:7200 4r5o:10800 fic:7200 1apo:10800 4r2c:7200|Asia/Gaza Asia/Hebron
EET-2EEST,M3.5.0,M10.5.0/3|7200||Europe/Chisinau Europe/Tiraspol
EET-2EEST,M3.5.0/0,M10.5.0/0|10800||Asia/Beirut
EET-2EEST,M3.5.0/3,M10.5.0/4|10800||Asia/Nicosia EET Europe/Athens Europe/Helsinki Europe/Kiev Europe/Kyiv Europe/Mariehamn Europe/Nicosia Europe/Uzhgorod Europe/Zaporozhye
EET-2EEST,M3.5.0/3,M10.5.0/4|7200||Asia/Famagusta Europe/Bucharest Europe/Riga Europe/Sofia Europe/Tallinn Europe/Vilnius
EET-2EEST,M4.5.5/0,M10.5.4/24|7200|11foo:10800|Africa/Cairo Egypt
EET-2|7200||Africa/Tripoli Europe/Kaliningrad Libya
EST5EDT,M3.2.0,M11.1.0|-14400||America/Detroit America/Fort_Wayne America/Grand_Turk America/Indiana/Indianapolis America/Indiana/Marengo America/Indiana/Vevay America/Indiana/Winamac America/Indianapolis America/Iqaluit America/Kentucky/Louisville America/Kentucky/Monticello America/Louisville America/Montreal America/Nassau America/New_York America/Nipigon America/Pangnirtung America/Port-au-Prince America/Thunder_Bay America/Toronto Canada/Eastern EST5EDT US/East-Indiana US/Eastern US/Michigan
EST5EDT,M3.2.0,M11.1.0|-18000||America/Indiana/Petersburg America/Indiana/Vincennes
EST5|-18000||America/Atikokan America/Cancun America/Cayman America/Coral_Harbour America/Jamaica America/Panama EST Jamaica
GMT0BST,M3.5.0/1,M10.5.0|0||Europe/Belfast Europe/Guernsey Europe/Isle_of_Man Europe/Jersey Europe/London GB GB-Eire
GMT0|0||Africa/Abidjan Africa/Accra Africa/Bamako Africa/Banjul Africa/Bissau Africa/Conakry Africa/Dakar Africa/Freetown Africa/Lome Africa/Monrovia Africa/Nouakchott Africa/Ouagadougou Africa/Sao_Tome Africa/Timbuktu America/Danmarkshavn Atlantic/Reykjavik Atlantic/St_Helena Etc/GMT Etc/GMT+0 Etc/GMT-0 Etc/GMT0 Etc/Greenwich GMT GMT+0 GMT-0 GMT0 Greenwich Iceland
HKT-8|28800||Asia/Hong_Kong Hongkong
HST10HDT,M3.2.0,M11.1.0|-32400||America/Adak America/Atka US/Aleutian
HST10|-36000||HST Pacific/Honolulu Pacific/Johnston US/Hawaii
IST-1GMT0,M10.5.0,M3.5.0/1|3600||Eire Europe/Dublin
IST-2IDT,M3.4.4/26,M10.5.0|10800||Asia/Jerusalem Asia/Tel_Aviv Israel
IST-5:30|19800||Asia/Calcutta Asia/Kolkata
JST-9|32400||Asia/Tokyo Japan
KST-9|32400||Asia/Pyongyang Asia/Seoul ROK
MSK-3|10800||Europe/Kirov Europe/Moscow Europe/Simferopol W-SU
MSK-3|14400|b50o:10800|Europe/Volgograd
MST7MDT,M3.2.0,M11.1.0|-21600||America/Boise America/Cambridge_Bay America/Denver America/Edmonton America/Inuvik America/Shiprock America/Yellowknife Canada/Mountain MST7MDT Navajo US/Mountain
MST7MDT,M3.2.0,M11.1.0|-25200|22v0:-21600 7cec:-25200 43to:-21600 7cec:-25200 3w1o:-21600 82z0:-25200|America/Ciudad_Juarez
MST7|-25200||America/Creston America/Dawson_Creek America/Fort_Nelson America/Hermosillo America/Phoenix MST US/Arizona
MST7|-25200|2xz0:-21600 69ic:-25200 4yxo:-21600 6hac:-25200 4r5o:-21600 6hac:-25200|America/Mazatlan Mexico/BajaSur
MST7|-28800|22wo:-25200|America/Dawson America/Whitehorse Canada/Yukon
NST3:30NDT,M3.2.0,M11.1.0|-9000||America/St_Johns Canada/Newfoundland
NZST-12NZDT,M9.5.0,M4.1.0/3|46800||Antarctica/McMurdo Antarctica/South_Pole NZ Pacific/Auckland
PKT-5|18000||Asia/Karachi
PST-8|28800||Asia/Manila
PST8PDT,M3.2.0,M11.1.0|-25200||America/Los_Angeles America/Vancouver Canada/Pacific PST8PDT US/Pacific
PST8PDT,M3.2.0,M11.1.0|-28800||America/Ensenada America/Santa_Isabel America/Tijuana Mexico/BajaNorte
SAST-2|7200||Africa/Johannesburg Africa/Maseru Africa/Mbabane
SST11|-39600||Pacific/Midway Pacific/Pago_Pago Pacific/Samoa US/Samoa
UTC0|0||Etc/UCT Etc/UTC Etc/Universal Etc/Zulu UCT UTC Universal Zulu
WAT-1|3600||Africa/Bangui Africa/Brazzaville Africa/Douala Africa/Kinshasa Africa/Lagos Africa/Libreville Africa/Luanda Africa/Malabo Africa/Ndjamena Africa/Niamey Africa/Porto-Novo
WET0WEST,M3.5.0/1,M10.5.0|3600||Atlantic/Canary Atlantic/Faeroe Atlantic/Faroe Atlantic/Madeira Europe/Lisbon Portugal WET
WIB-7|25200||Asia/Jakarta Asia/Pontianak
WIT-9|32400||Asia/Jayapura
WITA-8|28800||Asia/Makassar Asia/Ujung_Pandang`;
