package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
)

// writeFacts writes one file a subject. A fact stands on a line of its own, so that a difference of releases reads well.
func writeFacts(source, folder string) error {
	swagger, err := readSwagger(source)
	if err != nil {
		return err
	}
	resources, err := resourceFacts(source)
	if err != nil {
		return err
	}
	commands, err := kubectlFacts()
	if err != nil {
		return err
	}
	for name, facts := range map[string]section{
		"types.json":            typeFacts(swagger),
		"resources.json":        resources,
		"kubectl.json":          commands,
		"bootstrap-policy.json": policyFacts(),
	} {
		text, err := facts.text()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// section is a JSON object with its entries in their order: a section in it is indented, everything else stands on one line.
type section []entry

type entry struct {
	name  string
	value any
}

func (s *section) add(name string, value any) {
	*s = append(*s, entry{name, value})
}

func (s section) text() ([]byte, error) {
	var text bytes.Buffer
	if err := s.write(&text, "\n"); err != nil {
		return nil, err
	}
	text.WriteByte('\n')
	return text.Bytes(), nil
}

func (s section) write(text *bytes.Buffer, newline string) error {
	text.WriteByte('{')
	for index, entry := range s {
		if index > 0 {
			text.WriteByte(',')
		}
		text.WriteString(newline + "  ")
		if err := writeLine(text, entry.name); err != nil {
			return err
		}
		text.WriteString(": ")
		var err error
		if inner, hasLines := entry.value.(interface {
			write(*bytes.Buffer, string) error
		}); hasLines {
			err = inner.write(text, newline+"  ")
		} else {
			err = writeLine(text, entry.value)
		}
		if err != nil {
			return err
		}
	}
	if len(s) > 0 {
		text.WriteString(newline)
	}
	text.WriteByte('}')
	return nil
}

func writeLine(text *bytes.Buffer, value any) error {
	encoder := json.NewEncoder(text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	text.Truncate(text.Len() - 1)
	return nil
}

// lines is a JSON array with an item a line.
type lines []any

func (l lines) write(text *bytes.Buffer, newline string) error {
	text.WriteByte('[')
	for index, item := range l {
		if index > 0 {
			text.WriteByte(',')
		}
		text.WriteString(newline + "  ")
		if err := writeLine(text, item); err != nil {
			return err
		}
	}
	if len(l) > 0 {
		text.WriteString(newline)
	}
	text.WriteByte(']')
	return nil
}
