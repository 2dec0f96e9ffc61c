package main

import (
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	cliflag "k8s.io/component-base/cli/flag"
	"k8s.io/component-base/logs"
	"k8s.io/kubectl/pkg/cmd"
)

// flagFact is what a command knows of a flag of its own.
type flagFact struct {
	Shorthand string `json:"shorthand,omitempty"`
	Type      string `json:"type"`
	Default   string `json:"default"`
	// The value when the flag stands alone.
	Bare string `json:"bare,omitempty"`
	// Commands below know the flag too.
	Inherited  bool   `json:"inherited,omitempty"`
	Hidden     bool   `json:"hidden,omitempty"`
	Deprecated string `json:"deprecated,omitempty"`
	Usage      string `json:"usage"`
}

// kubectlFacts are the commands of kubectl by their path, "" for kubectl itself. Defaults that hang on the machine are those
// of a home at ~.
func kubectlFacts() (section, error) {
	for name, value := range map[string]string{"HOME": "~", "KUBECONFIG": "", "KUBECACHEDIR": "", "PATH": "", "KUBERC": "off"} {
		if err := os.Setenv(name, value); err != nil {
			return nil, err
		}
	}
	root := cmd.NewDefaultKubectlCommandWithArgs(cmd.KubectlOptions{Arguments: []string{"kubectl"}})
	// What component-base/cli adds when the program runs.
	root.SetGlobalNormalizationFunc(cliflag.WordSepNormalizeFunc)
	logs.AddFlags(root.PersistentFlags())
	var facts section
	addCommand(&facts, root)
	return facts, nil
}

func addCommand(facts *section, command *cobra.Command) {
	path := strings.TrimSpace(strings.TrimPrefix(command.CommandPath(), "kubectl"))
	facts.add(path, commandFacts(command))
	for _, child := range command.Commands() {
		addCommand(facts, child)
	}
}

func commandFacts(command *cobra.Command) section {
	// Every command has --help, for which the usage line speaks of flags.
	command.InitDefaultHelpFlag()
	usage := strings.TrimPrefix(strings.TrimPrefix(command.UseLine(), command.CommandPath()), " ")
	facts := section{{"usage", usage}, {"short", command.Short}, {"long", command.Long}, {"example", command.Example}}
	optional := func(name string, value any, present bool) {
		if present {
			facts.add(name, value)
		}
	}
	optional("aliases", command.Aliases, len(command.Aliases) > 0)
	optional("suggestFor", command.SuggestFor, len(command.SuggestFor) > 0)
	optional("hidden", true, command.Hidden)
	optional("deprecated", command.Deprecated, command.Deprecated != "")
	optional("group", true, !command.Runnable())
	flags := section{}
	command.LocalFlags().VisitAll(func(flag *pflag.Flag) {
		if flag.Name == "help" {
			return
		}
		inherited := command.PersistentFlags().Lookup(flag.Name) != nil
		flags.add(flag.Name, flagFact{
			flag.Shorthand, flag.Value.Type(), flag.DefValue, flag.NoOptDefVal, inherited, flag.Hidden, flag.Deprecated, flag.Usage,
		})
	})
	facts.add("flags", flags)
	return facts
}
