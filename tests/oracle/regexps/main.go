// Answers what Go's package regexp makes of expressions. Each line of the input is `{"pattern": …, "texts": […]}`; each line of the
// output `{"refusal": …}` or `{"found": [[…], …]}`, all matches in each text.
package main

import (
	"bufio"
	"encoding/json"
	"os"
	"regexp"
)

type question struct {
	Pattern string   `json:"pattern"`
	Texts   []string `json:"texts"`
}

type answer struct {
	Refusal string     `json:"refusal,omitempty"`
	Found   [][]string `json:"found,omitempty"`
}

func main() {
	questions := json.NewDecoder(bufio.NewReader(os.Stdin))
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	answers := json.NewEncoder(output)
	for questions.More() {
		var asked question
		if err := questions.Decode(&asked); err != nil {
			panic(err)
		}
		var given answer
		expression, err := regexp.Compile(asked.Pattern)
		if err != nil {
			given.Refusal = err.Error()
		} else {
			for _, text := range asked.Texts {
				given.Found = append(given.Found, append([]string{}, expression.FindAllString(text, -1)...))
			}
		}
		if err := answers.Encode(given); err != nil {
			panic(err)
		}
	}
}
