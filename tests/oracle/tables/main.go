// Writes the tables that the world needs and that every engine has in a version of its own: properties of characters and time zones.
// Both are those of the Go that this program is run with, which must be the one that the simulated release is built with.
//
//	go run tests/oracle/tables/main.go src/sim/unicode-tables.ts src/cluster/cron/zone-tables.ts
package main

import (
	"archive/zip"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Transitions before this year are left out; clocks stand as they stood when it began.
const firstYear = 2020

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: main.go UNICODE-FILE ZONE-FILE")
		os.Exit(2)
	}
	check(os.WriteFile(os.Args[1], []byte(unicodeFile()), 0o644))
	check(os.WriteFile(os.Args[2], []byte(zoneFile()), 0o644))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func base36(number int64) string { return strconv.FormatInt(number, 36) }

// Characters.

// Marks of the categories in the table; lower-case letters and digits are numbers.
const marks = "ABCDEFGHIJKLMNOPQRSTUVWXYZ!#%&"

func unicodeFile() string {
	var text strings.Builder
	fmt.Fprintf(&text, "// Unicode %s. Written by tests/oracle/tables/main.go from Go's package unicode; not edited by hand.\n\n", unicode.Version)
	names := twoLetterCategories()
	fmt.Fprintf(&text, "/** The general categories, in the order of their marks in `categoryRuns`. */\nexport const categoryNames = %q;\n\n", strings.Join(names, " "))
	fmt.Fprintf(&text, "export const categoryMarks = %q;\n\n", marks[:len(names)])
	fmt.Fprintf(&text, "/** From U+0000 on: a category's mark, and how many more characters have it (base 36, nothing for none). */\nexport const categoryRuns =\n  %q;\n\n", categoryRuns(names))
	fmt.Fprintf(&text, "/** `Alias=Category`. */\nexport const categoryAliases =\n  %q;\n\n", aliases())
	fmt.Fprintf(&text, "/** A script and its ranges: how far each begins after the last one's end, `+` how many more characters (base 36). */\nexport const scripts = `%s`;\n\n", scripts())
	fmt.Fprintf(&text, "/** Characters that differ in case only, each with the next one: how far it is from the one before, `+` how many more, `*` at what distance (2), `:` how far the next one is. */\nexport const folds =\n  %q;\n", folds())
	return text.String()
}

func twoLetterCategories() []string {
	names := slices.Sorted(maps.Keys(unicode.Categories))
	return slices.DeleteFunc(names, func(name string) bool { return len(name) != 2 || name == "LC" })
}

func categoryRuns(names []string) string {
	var text strings.Builder
	last, count := -1, int64(0)
	flush := func() {
		if last < 0 {
			return
		}
		text.WriteByte(marks[last])
		if count > 1 {
			text.WriteString(base36(count - 1))
		}
	}
	for character := rune(0); character <= unicode.MaxRune; character++ {
		at := slices.IndexFunc(names, func(name string) bool { return unicode.Is(unicode.Categories[name], character) })
		if at != last {
			flush()
			last, count = at, 0
		}
		count++
	}
	flush()
	return text.String()
}

func aliases() string {
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(unicode.CategoryAliases)) {
		pairs = append(pairs, name+"="+unicode.CategoryAliases[name])
	}
	return strings.Join(pairs, " ")
}

// Names of several words are left out: package regexp finds none of them.
func scripts() string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(unicode.Scripts)) {
		if strings.Contains(name, "_") {
			continue
		}
		var ranges []string
		end := int64(0)
		for character := rune(0); character <= unicode.MaxRune; character++ {
			if !unicode.Is(unicode.Scripts[name], character) {
				continue
			}
			begin := int64(character)
			for unicode.Is(unicode.Scripts[name], character+1) {
				character++
			}
			one := base36(begin - end)
			if more := int64(character) - begin; more > 0 {
				one += "+" + base36(more)
			}
			ranges = append(ranges, one)
			end = int64(character)
		}
		lines = append(lines, name+" "+strings.Join(ranges, " "))
	}
	return strings.Join(lines, "\n")
}

func folds() string {
	type run struct{ first, count, stride, distance int64 }
	var runs []run
	for character := rune(0); character <= unicode.MaxRune; character++ {
		next := unicode.SimpleFold(character)
		if next == character {
			continue
		}
		code, distance := int64(character), int64(next)-int64(character)
		if len(runs) > 0 {
			last := &runs[len(runs)-1]
			if last.distance == distance && last.count == 1 && code-last.first <= 2 {
				last.stride, last.count = code-last.first, 2
				continue
			}
			if last.distance == distance && last.count > 1 && code == last.first+last.count*last.stride {
				last.count++
				continue
			}
		}
		runs = append(runs, run{code, 1, 1, distance})
	}
	var text []string
	before := int64(0)
	for _, one := range runs {
		word := base36(one.first - before)
		if one.count > 1 {
			word += "+" + base36(one.count-1)
		}
		if one.stride > 1 {
			word += "*"
		}
		text = append(text, word+":"+base36(one.distance))
		before = one.first
	}
	return strings.Join(text, " ")
}

// Time zones.

type zone struct {
	first       int      // seconds ahead of UTC when the table begins
	transitions []string // `minutes since the last one:seconds ahead of UTC`
	rule        string   // what holds after the last one, as POSIX writes TZ
}

func zoneFile() string {
	archive, err := zip.OpenReader(filepath.Join(runtime.GOROOT(), "lib", "time", "zoneinfo.zip"))
	check(err)
	defer archive.Close()
	names := map[string][]string{}
	for _, file := range archive.File {
		if strings.HasSuffix(file.Name, "/") {
			continue
		}
		reader, err := file.Open()
		check(err)
		data, err := io.ReadAll(reader)
		check(err)
		one := readZone(data)
		line := fmt.Sprintf("%s|%d|%s", one.rule, one.first, strings.Join(one.transitions, " "))
		names[line] = append(names[line], file.Name)
	}
	var lines []string
	for _, line := range slices.Sorted(maps.Keys(names)) {
		slices.Sort(names[line])
		lines = append(lines, line+"|"+strings.Join(names[line], " "))
	}
	return fmt.Sprintf("// Written by tests/oracle/tables/main.go from the zones that Go embeds; not edited by hand.\n\n"+
		"export const firstYear = %d;\n\n"+
		"/**\n * Zones with equal clocks: the rule that holds in the end, as POSIX writes TZ; seconds ahead of UTC when `firstYear` begins; the changes\n"+
		" * until the rule holds (minutes since the one before, in base 36, `:` seconds ahead of UTC); the names.\n */\n"+
		"export const zoneTable = `%s`;\n", firstYear, strings.Join(lines, "\n"))
}

// Reads TZif (RFC 9636), of which the second block has times of 64 bits.
func readZone(data []byte) zone {
	start := 44 + blockLength(data, 4)
	header := data[start:]
	count, types := int(number(header[32:])), int(number(header[36:]))
	times := header[44:]
	kinds := times[count*8:]
	records := kinds[count:]
	rest := header[44+blockLength(header, 8):]
	offset := func(kind byte) int { return int(int32(number(records[int(kind)*6:]))) }
	result := zone{rule: strings.TrimSpace(string(rest))}
	if types > 0 {
		result.first = offset(0)
	}
	begin := time.Date(firstYear, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	last, now := begin, result.first
	for index := range count {
		at := int64(binary.BigEndian.Uint64(times[index*8:]))
		ahead := offset(kinds[index])
		if at <= begin {
			result.first, now = ahead, ahead
			continue
		}
		if ahead == now {
			continue
		}
		if (at-last)%60 != 0 {
			panic("a change within a minute")
		}
		result.transitions = append(result.transitions, base36((at-last)/60)+":"+strconv.Itoa(ahead))
		last, now = at, ahead
	}
	return result
}

func number(data []byte) uint32 { return binary.BigEndian.Uint32(data) }

func blockLength(header []byte, timeSize int) int {
	isUT, isStandard, leaps := int(number(header[20:])), int(number(header[24:])), int(number(header[28:]))
	count, types, characters := int(number(header[32:])), int(number(header[36:])), int(number(header[40:]))
	return count*timeSize + count + types*6 + characters + leaps*(timeSize+4) + isStandard + isUT
}
