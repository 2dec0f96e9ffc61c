// Package suite names what is built: the tests of k8s.io/kubernetes/test/e2e, which need nothing of ours.
package suite

import _ "k8s.io/kubernetes/test/e2e"
