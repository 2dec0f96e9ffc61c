// What kubectl v1.36 knows of its commands and flags: the data that the flag parser and the short parts of the help are made from.
// The format is read by `catalog-reader.ts`: first a line a flag (identifier, shorthand, type, default, value when given without
// one, H when hidden, deprecation; tab-separated), then a section a command. Long texts are in `texts.ts`.

export const catalogText = `accept-hosts		string	^localhost$,^127\\.0\\.0\\.1$,^\\[::1\\]$
accept-paths		string	^.*
address		string	127.0.0.1
address#2		stringSlice	[localhost]
aggregation-rule		mapStringString
all		bool	false
all#2		bool	false
all#3		bool	false
all#4		bool	false
all#5		bool	false
all#6		bool	false
all#7		bool	false
all-containers		bool	false
all-namespaces	A	bool	false
all-namespaces#2	A	bool	false
all-namespaces#3	A	bool	false
all-pods		bool	false
allow-missing-template-keys		bool	true
allowlist-entry		stringArray	[]
annotation		stringArray	[]
annotations		stringArray	[]
api-group		string
api-prefix		string	/
api-version		string
append-hash		bool	false
append-hash#2		bool	false
append-server-path		bool	false
appendarg		stringArray	[]
arguments-only		bool	false
as		string
as-current-user		bool	false
as-group		stringArray	[]
as-uid		string
as-user-extra		stringArray	[]
attach		bool	false
attach#2		bool	false
audience		stringArray	[]
auth-provider		string
auth-provider-arg		stringSlice	[]
bound-object-kind		string
bound-object-name		string
bound-object-uid		string
cache-dir		string	~/.kube/cache
cached		bool	false
cascade		string	background	background
categories		stringSlice	[]
cert		string
certificate-authority		string
certificate-authority#2		string
chunk-size		int64	500
class		string
client		bool	false
client-certificate		string
client-certificate#2		string
client-key		string
client-key#2		string
cluster		string
cluster#2		string
cluster-ip		string
clusterip		string
clusterrole		string
clusterrole#2		string
command		bool	false
command#2		string
concurrency		int	1
container	c	string
container#2	c	string
container#3	c	string
containers		bool	false
containers#2	c	string	*
containers#3	c	string	*
context		string
copy-to		string
cpu		string
cpu-percent		int32	-1		H	Use --cpu with percentage or resource quantity format (e.g., '70%' for utilization or '500m' for milliCPU).
create-annotation		bool	false
current		bool	false
current-replicas		int	-1
custom		string
default-backend		string
delete-emptydir-data		bool	false
description		string
detach-keys		string	ctrl-p,ctrl-q
detach-keys#2		string	ctrl-p,ctrl-q
disable-compression		bool	false
disable-eviction		bool	false
disable-filter		bool	false
docker-email		string
docker-password		string
docker-server		string	https://index.docker.io/v1/
docker-username		string
dry-run		string	none	unchanged
duration		duration	0s
edit		bool	false
embed-certs		tristate	false	true
embed-certs#2		tristate	false	true
enable-alpha-plugins		bool	false
enable-helm		bool	false
enable-managedby-label		bool	false		H	The flag \`enable-managedby-label\` has been deprecated. Use the \`managedByLabel\` option in the \`buildMetadata\` field instead.
env		stringArray	[]
env#2		stringToString	[]
env#3	e	stringArray	[]
env#4	e	stringArray	[]
exec-api-version		string
exec-arg		stringSlice	[]
exec-command		string
exec-env		stringArray	[]
exec-interactive-mode		string
exec-provide-cluster-info		tristate	false	true
expose		bool	false
external-ip		string
external-name		string
field-manager		string	kubectl-create
field-manager#2		string	kubectl-set
field-manager#3		string	kubectl-client-side-apply
field-manager#4		string	kubectl-rollout
field-manager#5		string	kubectl-annotate
field-manager#6		string	kubectl-autoscale
field-manager#7		string	kubectl-edit
field-manager#8		string	kubectl-expose
field-manager#9		string	kubectl-label
field-manager#10		string	kubectl-patch
field-manager#11		string	kubectl-replace
field-manager#12		string	kubectl-run
field-manager#13		string	kubectl-taint
field-selector		string
filename	f	stringSlice	[]
filename#2	f	stringSlice	[]
filename#3	f	stringSlice	[]
filename#4	f	stringSlice	[]
filename#5	f	stringSlice	[]
filename#6	f	stringSlice	[]
filename#7	f	stringSlice	[]
filename#8	f	stringSlice	[]
filename#9	f	stringSlice	[]
filename#10	f	stringSlice	[]
filename#11	f	stringSlice	[]
filename#12	f	stringSlice	[]
filename#13	f	stringSlice	[]
filename#14	f	stringSlice	[]
filename#15	f	stringSlice	[]
filename#16	f	stringSlice	[]
filename#17	f	stringSlice	[]
filename#18	f	stringSlice	[]
filename#19	f	stringSlice	[]
filename#20	f	stringSlice	[]
filename#21	f	stringSlice	[]
filename#22	f	stringSlice	[]
flatten		bool	false
follow	f	bool	false
for		string
for#2		stringArray	[]
force		bool	false
force#2		bool	false
force#3		bool	false
force#4		bool	false
force-conflicts		bool	false
from		string
from#2		string
from-env-file		stringSlice	[]
from-env-file#2		stringSlice	[]
from-file		stringSlice	[]
from-file#2		stringSlice	[]
from-file#3		stringSlice	[]
from-literal		stringArray	[]
from-literal#2		stringArray	[]
global-default		bool	false
grace-period		int	-1
grace-period#2		int	-1
group		stringArray	[]
group#2		stringArray	[]
group#3		stringArray	[]
hard		string
helm-api-versions		stringArray	[]
helm-command		string	helm
helm-debug		bool	false
helm-kube-version		string
ignore-daemonsets		bool	false
ignore-errors		bool	false
ignore-not-found		bool	false
ignore-not-found#2		bool	false
image		string
image#2		string
image#3		string
image#4		stringSlice	[]
image-pull-policy		string
image-pull-policy#2		string
insecure-skip-tls-verify		bool	false
insecure-skip-tls-verify#2		tristate	false	true
insecure-skip-tls-verify-backend		bool	false
interactive	i	bool	false
keep-annotations		bool	false
keep-init-containers		bool	true
keep-labels		bool	false
keep-liveness		bool	false
keep-readiness		bool	false
keep-startup		bool	false
keepalive		duration	0s
key		string
keys		stringSlice	[]
kubeconfig		string
kubeconfig#2		string
kuberc		string
kustomize	k	string
kustomize#2	k	string
label-columns	L	stringSlice	[]
labels	l	string
labels#2	l	string
leave-stdin-open		bool	false
limit-bytes		int64	0
limits		string
list		bool	false
list#2		bool	false
list#3		bool	false
list#4		bool	false
load-balancer-ip		string
load-restrictor		string	LoadRestrictionsRootOnly
local		bool	false
local#2		bool	false
local#3		bool	false
local#4		bool	false
local#5		bool	false
local#6		bool	false
local#7		bool	false
local#8		bool	false
match-server-version		bool	false
max		int32	-1
max-log-requests		int	5
max-unavailable		string
memory		string
merge		tristate	true	true
min		int32	-1
min-available		string
minify		bool	false
mount		stringArray	[]
name		string
name#2		string
name#3		string
name-only		bool	false
namespace	n	string
namespace#2	n	string
namespaced		bool	true
namespaces		stringSlice	[]
network		bool	false
network-name		string	bridge
no-headers		bool	false
no-headers#2		bool	false
no-headers#3		bool	false
no-headers#4		bool	false
no-headers#5		bool	false
no-preserve		bool	false
node-port		int	0
non-resource-url		stringSlice	[]
now		bool	false
openapi-patch		bool	true
option		stringArray	[]
output	o	string
output#2	o	string	yaml
output#3	o	string
output#4	o	string
output#5	o	string
output#6	o	string
output#7	o	string
output#8	o	string
output#9	o	string	json
output#10	o	string	plaintext
output#11	o	string	yaml
output-directory		string
output-patch		bool	false
output-watch-events		bool	false
override-type		string	merge
overrides		string
overwrite		bool	false
overwrite#2		bool	false
overwrite#3		bool	false
overwrite#4		bool	false
overwrite#5		bool	true
overwrite#6		bool	true
password		string
patch	p	string
patch-file		string
pod-running-timeout		duration	1m0s
pod-running-timeout#2		duration	20s
pod-selector		string
policy		string
port		int32	-1
port#2		string
port#3		string
port#4	p	int	8001
preemption-policy		string	PreemptLowerPriority
prefix		bool	false
prefix#2		string
prependarg		stringArray	[]
previous	p	bool	false
privileged		bool	false
profile		string	general
profile#2		string	none
profile-output		string	profile.pprof
protocol		string
proxy-url		string
prune		bool	false
prune#2		bool	false
prune-allowlist		stringArray	[]
quiet	q	bool	false
quiet#2	q	bool	false
quiet#3	q	bool	false
quiet#4	q	bool	false
raw		bool	false
raw#2		string
raw#3		string
raw#4		string
raw#5		string
record		bool	false		H	--record will be removed in the future
recursive	R	bool	false
recursive#2	R	bool	true
recursive#3	R	bool	false
reject-methods		string	^$
reject-paths		string	^/api/.*/pods/.*/exec,^/api/.*/pods/.*/attach
remove-extra-permissions		bool	false
remove-extra-subjects		bool	false
reorder		string	legacy		H	use the new 'sortOptions' field in kustomization.yaml instead.
replace		bool	false
replicas		int	0
replicas#2	r	int32	1
request-timeout		string	0
requests		string
resolve		bool	false
resource		stringSlice	[]
resource-name		stringArray	[]
resource-version		string
resource-version#2		string
resource-version#3		string
resource-version#4		string
restart		string
restart#2		string	Always
retries		int	0
revision		int64	0
revision#2		int64	0
rm		bool	false
role		string
rule		stringArray	[]
same-node		bool	false
save-config		bool	false
schedule		string
scopes		string
section		string
selector	l	string
selector#2		string
selector#3		string
selector#4	l	string
server		string
server#2	s	string
server-print		bool	true
server-side		bool	false
serviceaccount		stringArray	[]
serviceaccount#2		stringArray	[]
serviceaccount#3		stringArray	[]
session-affinity		string
set-image		stringToString	[]
set-raw-bytes		tristate	false	true
share-processes		bool	true
show-capacity		bool	false
show-events		bool	true
show-kind		bool	false
show-labels		bool	false
show-managed-fields		bool	false
show-managed-fields#2		bool	false
show-secrets		bool	false
show-swap		bool	false
show-swap#2		bool	false
since		duration	0s
since-time		string
skip-wait-for-delete-timeout		int	0
sort-by		string
sort-by#2		string
sort-by#3		string
sort-by#4		string
stdin	i	bool	false
stdin#2	i	bool	false
stdin#3	i	bool	false
subresource		string
subresource#2		string
subresource#3		string
subresource#4		string
subresource#5		string
subresource#6		string
sum		bool	false
tail		int64	-1
target		string
target-port		string
tcp		stringSlice	[]
template		string
timeout		duration	0s
timeout#2		duration	0s
timeout#3		duration	0s
timeout#4		duration	0s
timeout#5		duration	30s
timestamps		bool	false
tls-server-name		string
tls-server-name#2		string
to-revision		int64	0
token		string
token#2		string
tty	t	bool	false
tty#2	t	bool	false
tty#3	t	bool	false
type		string
type#2		string
type#3		string	strategic
types		stringSlice	[]
unix-socket	u	string
use-protocol-buffers		bool	true
user		string
user#2		string
user#3		stringArray	[]
user#4		stringArray	[]
user#5		stringArray	[]
username		string
validate		string	strict	strict
value		int32	0
verb		stringSlice	[]
verbs		stringSlice	[]
wait		bool	false
wait#2		bool	true
warnings-as-errors		bool	false
watch	w	bool	false
watch#2	w	bool	false
watch#3	w	bool	true
watch-only		bool	false
windows-line-endings		bool	false
windows-line-endings#2		bool	false
www	w	string
www-prefix	P	string	/static/
password#9		string
username#9		string
log-flush-frequency		duration	5s
v	v	level	0
vmodule		moduleSpec
%% 
%u [flags]
%s kubectl controls the Kubernetes cluster manager
%f as* as-group* as-uid* as-user-extra* cache-dir* certificate-authority* client-certificate* client-key* cluster* context* disable-compression* insecure-skip-tls-verify* kubeconfig* kuberc* log-flush-frequency* match-server-version* namespace* password#9* profile#2* profile-output* request-timeout* server#2* tls-server-name* token* user* username#9* v* vmodule* warnings-as-errors*
%% alpha
%u [flags]
%s Commands for features in alpha
%n
%% annotate
%u [--overwrite] (-f FILENAME | TYPE NAME) KEY_1=VAL_1 ... KEY_N=VAL_N [--resource-version=version]
%s Update the annotations on a resource
%f all#7 all-namespaces#2 allow-missing-template-keys dry-run field-manager#5 field-selector filename#12 kustomize list local output overwrite#2 record recursive resource-version selector show-managed-fields template
%% api-resources
%u [flags]
%s Print the supported API resources on the server
%f api-group cached categories namespaced no-headers output#6 show-managed-fields sort-by verbs
%% api-versions
%s Print the supported API versions on the server, in the form of "group/version"
%% apply
%u (-f FILENAME | -k DIRECTORY)
%s Apply a configuration to a resource by file name or stdin
%f all#6 allow-missing-template-keys cascade dry-run field-manager#3 filename#17 force force-conflicts grace-period kustomize#2 openapi-patch output overwrite#5 prune prune-allowlist record recursive selector server-side show-managed-fields subresource template timeout validate wait
%% apply edit-last-applied
%u (RESOURCE/NAME | -f FILENAME)
%s Edit latest last-applied-configuration annotations of a resource/object
%f allow-missing-template-keys field-manager#3 filename#4 kustomize output record recursive show-managed-fields template validate windows-line-endings
%% apply set-last-applied
%u -f FILENAME
%s Set the last-applied-configuration annotation on a live object to match the contents of a file
%f allow-missing-template-keys create-annotation dry-run filename#3 output show-managed-fields template
%% apply view-last-applied
%u (TYPE [NAME | -l label] | TYPE/NAME | -f FILENAME)
%s View the latest last-applied-configuration annotations of a resource/object
%f all#2 filename#3 kustomize output#11 recursive selector
%% attach
%u (POD | TYPE/NAME) -c CONTAINER
%s Attach to a running container
%f container detach-keys pod-running-timeout quiet stdin tty
%% auth
%u [flags]
%s Inspect authorization
%% auth can-i
%u VERB [TYPE | TYPE/NAME | NONRESOURCEURL]
%s Check whether an action is allowed
%f all-namespaces#2 list#4 no-headers#4 quiet#3 subresource#6
%% auth reconcile
%u -f FILENAME
%s Reconciles rules for RBAC role, role binding, cluster role, and cluster role binding objects
%f allow-missing-template-keys dry-run filename#10 kustomize output recursive remove-extra-permissions remove-extra-subjects show-managed-fields template
%% auth whoami
%s Experimental: Check self subject attributes
%f allow-missing-template-keys output show-managed-fields template
%% autoscale
%u (-f FILENAME | TYPE NAME | TYPE/NAME) [--min=MINPODS] --max=MAXPODS [--cpu=CPU] [--memory=MEMORY]
%s Auto-scale a deployment, replica set, stateful set, or replication controller
%f allow-missing-template-keys cpu cpu-percent dry-run field-manager#6 filename#8 kustomize max memory min name#3 output record recursive save-config show-managed-fields template
%% certificate
%u SUBCOMMAND
%s Modify certificate resources
%% certificate approve
%u (-f FILENAME | NAME)
%s Approve a certificate signing request
%f allow-missing-template-keys filename#2 force#3 kustomize output recursive show-managed-fields template
%% certificate deny
%u (-f FILENAME | NAME)
%s Deny a certificate signing request
%f allow-missing-template-keys filename#2 force#4 kustomize output recursive show-managed-fields template
%% cluster-info
%u [flags]
%s Display cluster information
%% cluster-info dump
%u [flags]
%s Dump relevant information for debugging and diagnosis
%f all-namespaces#3 allow-missing-template-keys namespaces output#9 output-directory pod-running-timeout#2 show-managed-fields template
%% completion
%u SHELL
%s Output shell completion code for the specified shell (bash, zsh, fish, or powershell)
%% config
%u SUBCOMMAND
%s Modify kubeconfig files
%f kubeconfig#2*
%% config current-context
%u [flags]
%s Display the current-context
%% config delete-cluster
%u NAME
%s Delete the specified cluster from the kubeconfig
%% config delete-context
%u NAME
%s Delete the specified context from the kubeconfig
%% config delete-user
%u NAME
%s Delete the specified user from the kubeconfig
%% config get-clusters
%u [flags]
%s Display clusters defined in the kubeconfig
%% config get-contexts
%u [(-o|--output=)name)]
%s Describe one or many contexts
%f no-headers output#7
%% config get-users
%u [flags]
%s Display users defined in the kubeconfig
%% config rename-context
%u CONTEXT_NAME NEW_NAME
%s Rename a context from the kubeconfig file
%% config set
%u PROPERTY_NAME PROPERTY_VALUE
%s Set an individual value in a kubeconfig file
%f set-raw-bytes
%% config set-cluster
%u NAME [--server=server] [--certificate-authority=path/to/certificate/authority] [--insecure-skip-tls-verify=true] [--tls-server-name=example.com]
%s Set a cluster entry in kubeconfig
%f certificate-authority#2 embed-certs#2 insecure-skip-tls-verify#2 proxy-url server tls-server-name#2
%% config set-context
%u [NAME | --current] [--cluster=cluster_nickname] [--user=user_nickname] [--namespace=namespace]
%s Set a context entry in kubeconfig
%f cluster#2 current namespace#2 user#2
%% config set-credentials
%u NAME [--client-certificate=path/to/certfile] [--client-key=path/to/keyfile] [--token=bearer_token] [--username=basic_user] [--password=basic_password] [--auth-provider=provider_name] [--auth-provider-arg=key=value] [--exec-command=exec_command] [--exec-api-version=exec_api_version] [--exec-arg=arg] [--exec-env=key=value]
%s Set a user entry in kubeconfig
%f auth-provider auth-provider-arg client-certificate#2 client-key#2 embed-certs exec-api-version exec-arg exec-command exec-env exec-interactive-mode exec-provide-cluster-info password token#2 username
%% config unset
%u PROPERTY_NAME
%s Unset an individual value in a kubeconfig file
%% config use-context
%u CONTEXT_NAME
%s Set the current-context in a kubeconfig file
%a use
%% config view
%u [flags]
%s Display merged kubeconfig settings or a specified kubeconfig file
%f allow-missing-template-keys flatten merge minify output#2 raw show-managed-fields template
%% cordon
%u NODE
%s Mark node as unschedulable
%f dry-run selector
%% cp
%u <file-spec-src> <file-spec-dest>
%s Copy files and directories to and from containers
%f container no-preserve retries
%% create
%u -f FILENAME
%s Create a resource from a file or from stdin
%f allow-missing-template-keys dry-run edit field-manager filename#16 kustomize output raw#3 record recursive save-config selector show-managed-fields template validate windows-line-endings#2
%% create clusterrole
%u NAME --verb=verb --resource=resource.group [--resource-name=resourcename] [--dry-run=server|client|none]
%s Create a cluster role
%f aggregation-rule allow-missing-template-keys dry-run field-manager non-resource-url output resource resource-name save-config show-managed-fields template validate verb
%% create clusterrolebinding
%u NAME --clusterrole=NAME [--user=username] [--group=groupname] [--serviceaccount=namespace:serviceaccountname] [--dry-run=server|client|none]
%s Create a cluster role binding for a particular cluster role
%f allow-missing-template-keys clusterrole dry-run field-manager group output save-config serviceaccount show-managed-fields template user#3 validate
%% create configmap
%u NAME [--from-file=[key=]source] [--from-literal=key1=value1] [--dry-run=server|client|none]
%s Create a config map from a local file, directory or literal value
%a cm
%f allow-missing-template-keys append-hash#2 dry-run field-manager from-env-file from-file from-literal output save-config show-managed-fields template validate
%% create cronjob
%u NAME --image=image --schedule='0/5 * * * ?' -- [COMMAND] [args...] [flags]
%s Create a cron job with the specified name
%a cj
%f allow-missing-template-keys dry-run field-manager image output restart save-config schedule show-managed-fields template validate
%% create deployment
%u NAME --image=image -- [COMMAND] [args...]
%s Create a deployment with the specified name
%a deploy
%f allow-missing-template-keys dry-run field-manager image#4 output port replicas#2 save-config show-managed-fields template validate
%% create ingress
%u NAME --rule=host/path=service:port[,tls[=secret]] 
%s Create an ingress with the specified name
%a ing
%f allow-missing-template-keys annotation class default-backend dry-run field-manager output rule save-config show-managed-fields template validate
%% create job
%u NAME --image=image [--from=cronjob/name] -- [COMMAND] [args...]
%s Create a job with the specified name
%f allow-missing-template-keys dry-run field-manager from#2 image output save-config show-managed-fields template validate
%% create namespace
%u NAME [--dry-run=server|client|none]
%s Create a namespace with the specified name
%a ns
%f allow-missing-template-keys dry-run field-manager output save-config show-managed-fields template validate
%% create poddisruptionbudget
%u NAME --selector=SELECTOR --min-available=N [--dry-run=server|client|none]
%s Create a pod disruption budget with the specified name
%a pdb
%f allow-missing-template-keys dry-run field-manager max-unavailable min-available output save-config selector#2 show-managed-fields template validate
%% create priorityclass
%u NAME --value=VALUE --global-default=BOOL [--dry-run=server|client|none]
%s Create a priority class with the specified name
%a pc
%f allow-missing-template-keys description dry-run field-manager global-default output preemption-policy save-config show-managed-fields template validate value
%% create quota
%u NAME [--hard=key1=value1,key2=value2] [--scopes=Scope1,Scope2] [--dry-run=server|client|none]
%s Create a quota with the specified name
%a resourcequota
%f allow-missing-template-keys dry-run field-manager hard output save-config scopes show-managed-fields template validate
%% create role
%u NAME --verb=verb --resource=resource.group/subresource [--resource-name=resourcename] [--dry-run=server|client|none]
%s Create a role with single rule
%f allow-missing-template-keys dry-run field-manager output resource resource-name save-config show-managed-fields template validate verb
%% create rolebinding
%u NAME --clusterrole=NAME|--role=NAME [--user=username] [--group=groupname] [--serviceaccount=namespace:serviceaccountname] [--dry-run=server|client|none]
%s Create a role binding for a particular role or cluster role
%f allow-missing-template-keys clusterrole#2 dry-run field-manager group#3 output role save-config serviceaccount#3 show-managed-fields template user#5 validate
%% create secret
%u (docker-registry | generic | tls)
%s Create a secret using a specified subcommand
%% create secret docker-registry
%u NAME --docker-username=user --docker-password=password --docker-email=email [--docker-server=string] [--from-file=[key=]source] [--dry-run=server|client|none]
%s Create a secret for use with a Docker registry
%f allow-missing-template-keys append-hash docker-email docker-password docker-server docker-username dry-run field-manager from-file#2 output save-config show-managed-fields template validate
%% create secret generic
%u NAME [--type=string] [--from-file=[key=]source] [--from-literal=key1=value1] [--dry-run=server|client|none]
%s Create a secret from a local file, directory, or literal value
%f allow-missing-template-keys append-hash dry-run field-manager from-env-file#2 from-file#3 from-literal#2 output save-config show-managed-fields template type validate
%% create secret tls
%u NAME --cert=path/to/cert/file --key=path/to/key/file [--dry-run=server|client|none]
%s Create a TLS secret
%f allow-missing-template-keys append-hash cert dry-run field-manager key output save-config show-managed-fields template validate
%% create service
%u [flags]
%s Create a service using a specified subcommand
%a svc
%% create service clusterip
%u NAME [--tcp=<port>:<targetPort>] [--dry-run=server|client|none]
%s Create a ClusterIP service
%f allow-missing-template-keys clusterip dry-run field-manager output save-config show-managed-fields tcp template validate
%% create service externalname
%u NAME --external-name external.name [--dry-run=server|client|none]
%s Create an ExternalName service
%f allow-missing-template-keys dry-run external-name field-manager output save-config show-managed-fields tcp template validate
%% create service loadbalancer
%u NAME [--tcp=port:targetPort] [--dry-run=server|client|none]
%s Create a LoadBalancer service
%f allow-missing-template-keys dry-run field-manager output save-config show-managed-fields tcp template validate
%% create service nodeport
%u NAME [--tcp=port:targetPort] [--dry-run=server|client|none]
%s Create a NodePort service
%f allow-missing-template-keys dry-run field-manager node-port output save-config show-managed-fields tcp template validate
%% create serviceaccount
%u NAME [--dry-run=server|client|none]
%s Create a service account with the specified name
%a sa
%f allow-missing-template-keys dry-run field-manager output save-config show-managed-fields template validate
%% create token
%u SERVICE_ACCOUNT_NAME
%s Request a service account token
%f allow-missing-template-keys audience bound-object-kind bound-object-name bound-object-uid duration output show-managed-fields template
%% debug
%u (POD | TYPE[[.VERSION].GROUP]/NAME) [ -- COMMAND [args...] ]
%s Create debugging sessions for troubleshooting workloads and nodes
%f arguments-only attach#2 container#2 copy-to custom env#2 filename#20 image#2 image-pull-policy#2 keep-annotations keep-init-containers keep-labels keep-liveness keep-readiness keep-startup profile quiet#2 replace same-node set-image share-processes stdin#3 target tty#3
%% delete
%u ([-f FILENAME] | [-k DIRECTORY] | TYPE [(NAME | -l label | --all)])
%s Delete resources by file names, stdin, resources and names, or by resources and label selector
%g rm remove
%f all#3 all-namespaces cascade dry-run field-selector filename#19 force grace-period ignore-not-found#2 interactive kustomize#2 now output#8 raw#2 recursive selector timeout wait#2
%% describe
%u (-f FILENAME | TYPE [NAME_PREFIX | -l label] | TYPE/NAME)
%s Show details of a specific resource or group of resources
%g inspect
%f all-namespaces chunk-size filename#6 kustomize recursive selector show-events
%% diff
%u -f FILENAME
%s Diff the live version against a would-be applied version
%f concurrency field-manager#3 filename#7 force-conflicts kustomize prune#2 prune-allowlist recursive selector server-side show-managed-fields#2 show-secrets
%% drain
%u NODE
%s Drain node in preparation for maintenance
%f chunk-size delete-emptydir-data disable-eviction dry-run force#2 grace-period#2 ignore-daemonsets pod-selector selector skip-wait-for-delete-timeout timeout#4
%% edit
%u (RESOURCE/NAME | -f FILENAME)
%s Edit a resource on the server
%f allow-missing-template-keys field-manager#7 filename#4 kustomize output output-patch record recursive save-config show-managed-fields subresource#2 template validate windows-line-endings
%% events
%u [(-o|--output=)json|yaml|kyaml|name|go-template|go-template-file|template|templatefile|jsonpath|jsonpath-as-json|jsonpath-file] [--for TYPE/NAME] [--watch] [--types=Normal,Warning]
%s List events
%f all-namespaces allow-missing-template-keys chunk-size for no-headers#5 output show-managed-fields template types watch
%% exec
%u (POD | TYPE/NAME) [-c CONTAINER] [flags] -- COMMAND [args...]
%s Execute a command in a container
%f container filename#21 pod-running-timeout quiet stdin tty
%% explain
%u TYPE [--recursive=FALSE|TRUE] [--api-version=api-version-group] [-o|--output=plaintext|plaintext-openapiv2]
%s Get documentation for a resource
%f api-version output#10 recursive#3
%% expose
%u (-f FILENAME | TYPE NAME) [--port=port] [--protocol=TCP|UDP|SCTP] [--target-port=number-or-name] [--name=name] [--external-ip=external-ip-of-service] [--type=type]
%s Take a replication controller, service, deployment or pod and expose it as a new Kubernetes service
%f allow-missing-template-keys cluster-ip dry-run external-ip field-manager#8 filename#9 kustomize labels#2 load-balancer-ip name#2 output override-type overrides port#2 protocol record recursive save-config selector#3 session-affinity show-managed-fields target-port template type#2
%% get
%u [(-o|--output=)json|yaml|kyaml|name|go-template|go-template-file|template|templatefile|jsonpath|jsonpath-as-json|jsonpath-file|custom-columns|custom-columns-file|wide] (TYPE[.VERSION][.GROUP] [NAME | -l label] | TYPE[.VERSION][.GROUP]/NAME ...) [flags]
%s Display one or many resources
%g list ls
%f all-namespaces allow-missing-template-keys chunk-size field-selector filename ignore-not-found kustomize label-columns no-headers output#5 output-watch-events raw#5 recursive selector server-print show-kind show-labels show-managed-fields sort-by#2 subresource#3 template watch#2 watch-only
%% kuberc
%u SUBCOMMAND
%s Manage kuberc configuration files
%% kuberc set
%u --section (defaults|aliases) --command COMMAND
%s Set values in the kuberc configuration
%f allowlist-entry appendarg command#2 kuberc name option overwrite policy prependarg section
%% kuberc view
%s Display the current kuberc configuration
%f allow-missing-template-keys kuberc output#2 show-managed-fields template
%% kustomize
%u DIR [flags]
%s Build a kustomization target from a directory or URL
%f as-current-user enable-alpha-plugins enable-helm enable-managedby-label env#4 helm-api-versions helm-command helm-debug helm-kube-version load-restrictor mount network network-name output#3 reorder
%% label
%u [--overwrite] (-f FILENAME | TYPE NAME) KEY_1=VAL_1 ... KEY_N=VAL_N [--resource-version=version]
%s Update the labels on a resource
%f all all-namespaces#2 allow-missing-template-keys dry-run field-manager#9 field-selector filename#13 kustomize list#3 local#2 output overwrite#3 record recursive resource-version#2 selector show-managed-fields template
%% logs
%u [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]
%s Print the logs for a container in a pod
%f all-containers all-pods container#3 follow ignore-errors insecure-skip-tls-verify-backend limit-bytes max-log-requests pod-running-timeout#2 prefix previous selector since since-time tail timestamps
%% options
%u [flags]
%s Print the list of flags inherited by all commands
%% patch
%u (-f FILENAME | TYPE NAME) [-p PATCH|--patch-file FILE]
%s Update fields of a resource
%f allow-missing-template-keys dry-run field-manager#10 filename#2 kustomize local#3 output patch patch-file record recursive show-managed-fields subresource#4 template type#3
%% plugin
%u [flags]
%s Provides utilities for interacting with plugins
%% plugin list
%u [flags]
%s List all visible plugin executables on a user's PATH
%f name-only
%% port-forward
%u TYPE/NAME [options] [LOCAL_PORT:]REMOTE_PORT [...[LOCAL_PORT_N:]REMOTE_PORT_N]
%s Forward one or more local ports to a pod
%f address#2 pod-running-timeout
%% proxy
%u [--port=PORT] [--www=static-dir] [--www-prefix=prefix] [--api-prefix=prefix]
%s Run a proxy to the Kubernetes API server
%f accept-hosts accept-paths address api-prefix append-server-path disable-filter keepalive port#4 reject-methods reject-paths unix-socket www www-prefix
%% replace
%u -f FILENAME
%s Replace a resource by file name or stdin
%f allow-missing-template-keys cascade dry-run field-manager#11 filename#18 force grace-period kustomize#2 output raw#4 recursive save-config show-managed-fields subresource#5 template timeout validate wait
%% rollout
%u SUBCOMMAND
%s Manage the rollout of a resource
%% rollout history
%u (TYPE NAME | TYPE/NAME) [flags]
%s View rollout history
%f allow-missing-template-keys filename kustomize output recursive revision#2 selector show-managed-fields template
%% rollout pause
%u RESOURCE
%s Mark the provided resource as paused
%f allow-missing-template-keys field-manager#4 filename kustomize output recursive selector show-managed-fields template
%% rollout restart
%u RESOURCE
%s Restart a resource
%f allow-missing-template-keys field-manager#4 filename kustomize output recursive selector show-managed-fields template
%% rollout resume
%u RESOURCE
%s Resume a paused resource
%f allow-missing-template-keys field-manager#4 filename kustomize output recursive selector show-managed-fields template
%% rollout status
%u (TYPE NAME | TYPE/NAME) [flags]
%s Show the status of the rollout
%f filename kustomize recursive revision selector timeout#2 watch#3
%% rollout undo
%u (TYPE NAME | TYPE/NAME) [flags]
%s Undo a previous rollout
%f allow-missing-template-keys dry-run filename kustomize output recursive selector show-managed-fields template to-revision
%% run
%u NAME --image=image [--env="key=value"] [--port=port] [--dry-run=server|client] [--overrides=inline-json] [--command] -- [COMMAND] [args...]
%s Run a particular image on the cluster
%f allow-missing-template-keys annotations attach cascade command detach-keys#2 dry-run env expose field-manager#12 filename#22 force grace-period image#3 image-pull-policy kustomize#2 labels leave-stdin-open output override-type overrides pod-running-timeout port#3 privileged quiet#4 record recursive restart#2 rm save-config show-managed-fields stdin#2 template timeout tty#2 wait
%% scale
%u [--resource-version=version] [--current-replicas=count] --replicas=COUNT (-f FILENAME | TYPE NAME)
%s Set a new size for a deployment, replica set, or replication controller
%f all#2 allow-missing-template-keys current-replicas dry-run filename#11 kustomize output record recursive replicas resource-version#4 selector show-managed-fields template timeout#3
%% set
%u SUBCOMMAND
%s Set specific features on objects
%% set env
%u RESOURCE/NAME KEY_1=VAL_1 ... KEY_N=VAL_N
%s Update environment variables on a pod template
%f all#4 allow-missing-template-keys containers#2 dry-run env#3 field-manager#2 filename#14 from keys kustomize list#2 local#4 output overwrite#6 prefix#2 recursive resolve selector show-managed-fields template
%% set image
%u (-f FILENAME | TYPE NAME) CONTAINER_NAME_1=CONTAINER_IMAGE_1 ... CONTAINER_NAME_N=CONTAINER_IMAGE_N
%s Update the image of a pod template
%f all allow-missing-template-keys dry-run field-manager#2 filename kustomize local#5 output record recursive selector show-managed-fields template
%% set resources
%u (-f FILENAME | TYPE NAME)  ([--limits=LIMITS & --requests=REQUESTS]
%s Update resource requests/limits on objects with pod templates
%f all allow-missing-template-keys containers#3 dry-run field-manager#2 filename kustomize limits local#6 output record recursive requests selector show-managed-fields template
%% set selector
%u (-f FILENAME | TYPE NAME) EXPRESSIONS [--resource-version=version]
%s Set the selector on a resource
%f all#2 allow-missing-template-keys dry-run field-manager#2 filename#5 local output record recursive#2 resource-version#3 show-managed-fields template
%% set serviceaccount
%u (-f FILENAME | TYPE NAME) SERVICE_ACCOUNT
%s Update the service account of a resource
%a sa
%f all allow-missing-template-keys dry-run field-manager#2 filename kustomize local#7 output record recursive show-managed-fields template
%% set subject
%u (-f FILENAME | TYPE NAME) [--user=username] [--group=groupname] [--serviceaccount=namespace:serviceaccountname] [--dry-run=server|client|none]
%s Update the user, group, or service account in a role binding or cluster role binding
%f all allow-missing-template-keys dry-run field-manager#2 filename#15 group#2 kustomize local#8 output recursive selector serviceaccount#2 show-managed-fields template user#4
%% taint
%u NODE NAME KEY_1=VAL_1:TAINT_EFFECT_1 ... KEY_N=VAL_N:TAINT_EFFECT_N
%s Update the taints on one or more nodes
%f all#5 allow-missing-template-keys dry-run field-manager#13 output overwrite#4 selector show-managed-fields template validate
%% top
%u [flags]
%s Display resource (CPU/memory) usage
%g stats
%% top node
%u [NAME | -l label]
%s Display resource (CPU/memory) usage of nodes
%a nodes no
%f no-headers#2 selector show-capacity show-swap sort-by#3 use-protocol-buffers
%% top pod
%u [NAME | -l label]
%s Display resource (CPU/memory) usage of pods
%a pods po
%f all-namespaces containers field-selector no-headers#3 selector show-swap#2 sort-by#4 sum use-protocol-buffers
%% uncordon
%u NODE
%s Mark node as schedulable
%f dry-run selector
%% version
%u [flags]
%s Print the client and server version information
%f client output#4
%% wait
%u ([-f FILENAME] | resource.group/resource.name | resource.group [(-l label | --all)]) [--for=create|--for=delete|--for condition=available|--for=jsonpath='{}'[=value]]
%s Wait for a specific condition on one or many resources
%f all#2 all-namespaces allow-missing-template-keys field-selector filename#5 for#2 local output recursive#2 selector#4 show-managed-fields template timeout#5
`;
