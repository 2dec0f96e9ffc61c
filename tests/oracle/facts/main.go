// Facts of the pinned Kubernetes release, taken from its published modules.
package main

import (
	"fmt"
	"os"
)

const usage = `facts write SOURCE FOLDER    the data files; SOURCE is the folder of the module k8s.io/kubernetes`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "facts: %v\n", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 3 && args[0] == "write" {
		return writeFacts(args[1], args[2])
	}
	return fmt.Errorf("unknown arguments\n%s", usage)
}
