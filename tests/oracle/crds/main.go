// What the release's own code says of CustomResourceDefinitions and of objects of theirs: whether they are taken, in which words
// not, and what their rules are estimated to cost.
//
// One question a line: {"crd": {...}, "objects": [{"version": "v1", "object": {...}, "old": {...}}]}. One answer a line:
// {"errors": [...], "costs": {"v1": {"spec.rule[0]": 12}}, "objects": [[...], ...]}.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"sort"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/endpoints/request"
)

type question struct {
	Crd     json.RawMessage `json:"crd"`
	Objects []struct {
		Version string                 `json:"version"`
		Object  map[string]interface{} `json:"object"`
		Old     map[string]interface{} `json:"old"`
	} `json:"objects"`
}

type answer struct {
	Errors  []string                     `json:"errors"`
	Costs   map[string]map[string]uint64 `json:"costs"`
	Objects [][]string                   `json:"objects"`
}

var scheme = runtime.NewScheme()

func main() {
	install.Install(scheme)
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			if err := out.Encode(judge(line)); err != nil {
				panic(err)
			}
		}
		if err != nil {
			return
		}
	}
}

func judge(line []byte) answer {
	var asked question
	if err := json.Unmarshal(line, &asked); err != nil {
		return answer{Errors: []string{err.Error()}}
	}
	var external v1.CustomResourceDefinition
	if err := json.Unmarshal(asked.Crd, &external); err != nil {
		return answer{Errors: []string{err.Error()}}
	}
	scheme.Default(&external)
	var crd apiextensions.CustomResourceDefinition
	if err := scheme.Convert(&external, &crd, nil); err != nil {
		return answer{Errors: []string{err.Error()}}
	}
	result := answer{Errors: texts(crdvalidation.ValidateCustomResourceDefinition(context.Background(), &crd)), Costs: map[string]map[string]uint64{}}
	if len(result.Errors) > 0 {
		return result
	}
	for _, version := range external.Spec.Versions {
		result.Costs[version.Name] = costs(version)
	}
	for _, one := range asked.Objects {
		result.Objects = append(result.Objects, judgeObject(&external, one.Version, one.Object, one.Old))
	}
	return result
}

func judgeObject(crd *v1.CustomResourceDefinition, name string, object, old map[string]interface{}) (found []string) {
	defer func() {
		if fault := recover(); fault != nil {
			found = []string{fmt.Sprintf("panic: %v %s", fault, debug.Stack())}
		}
	}()
	for _, version := range crd.Spec.Versions {
		if version.Name != name {
			continue
		}
		internal, shape := schemas(version)
		validator, _, err := validation.NewSchemaValidator(internal)
		if err != nil {
			return []string{err.Error()}
		}
		kind := schema.GroupVersionKind{Group: crd.Spec.Group, Version: name, Kind: crd.Spec.Names.Kind}
		strategy := customresource.NewStrategy(scheme, true, kind, validator, nil, shape, nil, nil, nil)
		ctx := request.WithNamespace(context.Background(), "default")
		fresh := prepared(object, shape)
		if old == nil {
			return texts(strategy.Validate(ctx, fresh))
		}
		before := prepared(old, shape)
		before.SetResourceVersion("1")
		fresh.SetResourceVersion("1")
		return texts(strategy.ValidateUpdate(ctx, fresh, before))
	}
	return []string{"no such version"}
}

func prepared(object map[string]interface{}, shape *structural.Structural) *unstructured.Unstructured {
	content := integers(object).(map[string]interface{})
	pruning.Prune(content, shape, true)
	defaulting.PruneNonNullableNullsWithoutDefaults(content, shape)
	defaulting.Default(content, shape)
	return &unstructured.Unstructured{Object: content}
}

// integers gives whole numbers the type that the server's decoder gives them.
func integers(value interface{}) interface{} {
	switch typed := value.(type) {
	case map[string]interface{}:
		for key, inner := range typed {
			typed[key] = integers(inner)
		}
	case []interface{}:
		for index, inner := range typed {
			typed[index] = integers(inner)
		}
	case float64:
		if typed == float64(int64(typed)) {
			return int64(typed)
		}
	}
	return value
}

func schemas(version v1.CustomResourceDefinitionVersion) (*apiextensions.JSONSchemaProps, *structural.Structural) {
	internal := &apiextensions.JSONSchemaProps{}
	if err := v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(version.Schema.OpenAPIV3Schema, internal, nil); err != nil {
		panic(err)
	}
	shape, err := structural.NewStructural(internal)
	if err != nil {
		panic(err)
	}
	return internal, shape
}

// costs are those of each rule, by its place.
func costs(version v1.CustomResourceDefinitionVersion) map[string]uint64 {
	_, shape := schemas(version)
	found := map[string]uint64{}
	environments := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	var visit func(one *structural.Structural, declaration *apiservercel.DeclType, path string)
	visit = func(one *structural.Structural, declaration *apiservercel.DeclType, path string) {
		if len(one.XValidations) > 0 {
			if declaration == nil {
				declaration = model.SchemaDeclType(one, path == "" || one.XEmbeddedResource)
			}
			results, err := cel.Compile(one, declaration, celconfig.PerCallLimit, environments, cel.NewExpressionsEnvLoader())
			if err != nil {
				panic(err)
			}
			for index, result := range results {
				found[fmt.Sprintf("%s.rule[%d]", path, index)] = result.MaxCost
				if result.MessageExpression != nil {
					found[fmt.Sprintf("%s.message[%d]", path, index)] = result.MessageExpressionMaxCost
				}
			}
		}
		names := make([]string, 0, len(one.Properties))
		for name := range one.Properties {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			inner := one.Properties[name]
			visit(&inner, nil, path+"."+name)
		}
		if one.Items != nil {
			visit(one.Items, nil, path+"[]")
		}
		if one.AdditionalProperties != nil && one.AdditionalProperties.Structural != nil {
			visit(one.AdditionalProperties.Structural, nil, path+"{}")
		}
	}
	visit(shape, nil, "")
	return found
}

func texts(errors field.ErrorList) []string {
	found := make([]string, 0, len(errors))
	for _, one := range errors {
		found = append(found, one.Error())
	}
	return found
}
