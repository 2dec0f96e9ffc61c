package main

import (
	"sort"

	rbac "k8s.io/api/rbac/v1"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac/bootstrappolicy"
)

// policyFacts are the roles and bindings that an API server puts in place, with the feature gates that are on by default.
func policyFacts() section {
	var roles, bindings, namespaced, namespacedBindings section
	for _, role := range append(bootstrappolicy.ClusterRoles(), bootstrappolicy.ControllerRoles()...) {
		roles.add(role.Name, roleFacts(role.Labels, role.AggregationRule, role.Rules))
	}
	for _, binding := range append(bootstrappolicy.ClusterRoleBindings(), bootstrappolicy.ControllerRoleBindings()...) {
		bindings.add(binding.Name, bindingFacts(binding.Labels, binding.RoleRef, binding.Subjects))
	}
	byNamespace := bootstrappolicy.NamespaceRoles()
	for _, namespace := range sortedKeys(byNamespace) {
		for _, role := range byNamespace[namespace] {
			namespaced.add(namespace+"/"+role.Name, roleFacts(role.Labels, nil, role.Rules))
		}
	}
	bindingsByNamespace := bootstrappolicy.NamespaceRoleBindings()
	for _, namespace := range sortedKeys(bindingsByNamespace) {
		for _, binding := range bindingsByNamespace[namespace] {
			namespacedBindings.add(namespace+"/"+binding.Name, bindingFacts(binding.Labels, binding.RoleRef, binding.Subjects))
		}
	}
	return section{
		{"clusterRoles", roles},
		{"clusterRoleBindings", bindings},
		{"roles", namespaced},
		{"roleBindings", namespacedBindings},
	}
}

func roleFacts(labels map[string]string, aggregation *rbac.AggregationRule, rules []rbac.PolicyRule) section {
	facts := section{{"labels", labels}}
	if aggregation != nil {
		facts.add("aggregationRule", aggregation)
	}
	numbered := lines{}
	for _, rule := range rules {
		numbered = append(numbered, rule)
	}
	facts.add("rules", numbered)
	return facts
}

func bindingFacts(labels map[string]string, role rbac.RoleRef, subjects []rbac.Subject) section {
	return section{{"labels", labels}, {"roleRef", role}, {"subjects", subjects}}
}

func sortedKeys[T any](values map[string]T) []string {
	keys := make([]string, 0, len(values))
	for key := range values {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}
