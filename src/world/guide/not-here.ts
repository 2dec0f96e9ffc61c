// Commands that a learner may look for on this machine, and what does the same here. English, as everything that machines print.

const files = "nano and vi are here";
const nodes = "the nodes have crictl; kubectl get nodes names them, ssh NODE opens one";
const sources = "there is nothing to fetch; the files of a lab lie in your home directory, nano writes others";
const installing = "nothing can be installed; help lists what is here";
const languages = "for scripts there are bash, awk, sed and jq";
const manuals = "COMMAND --help and kubectl COMMAND --help say what there is to know, help lists the commands";
const windows = "+ over the terminal opens another one; jobs, fg and bg are here";
const root = "you are not root on this machine and need not be; ssh NODE opens a node as root";
const services = "this machine runs no services; ssh NODE, there systemctl and journalctl know those of a node";
const network = "curl, nc, ss, ip, nslookup, dig and host are here, and for the cluster's side kubectl get svc,endpointslices";
const clusters = "the cluster runs already; kubectl get nodes shows it, other starting points are in the sandbox of the course";
const clouds = "this cluster is in no cloud and needs no account";
const contexts =
  "kubectl config get-contexts, kubectl config use-context and kubectl config set-context --current --namespace NAME do it";

/** Sentences by the commands that they are about. */
const sentences: readonly (readonly [commands: string, sentence: string])[] = [
  ["helm helmfile", "there are no charts to fetch; kubectl apply -f FILE and kubectl apply -k FOLDER install what a chart would"],
  ["k9s lens kdash", "the picture and the inspector beside the terminal show the same; kubectl get pods -w follows Pods"],
  ["kustomize", "kubectl has it built in, as kubectl kustomize FOLDER and kubectl apply -k FOLDER"],
  ["kubectx kubens", contexts],
  ["stern kubetail", "kubectl logs -f -l KEY=VALUE --prefix follows several Pods"],
  ["krew", "kubectl has no plugins in this place"],
  ["oc", "this is plain Kubernetes, and kubectl is its client"],
  ["kubeadm minikube kind k3d k3s microk8s eksctl", clusters],
  ["kubelet kube-proxy", services],
  ["etcdctl etcdutl", "the control-plane node has them: ssh opens it"],
  ["istioctl linkerd cilium calicoctl flux argocd", "it is not part of this cluster; kubectl get pods -A shows what is"],
  ["docker podman nerdctl buildah ctr containerd crictl", nodes],
  ["docker-compose", "kubectl apply -f FILE starts what a manifest says"],
  ["skopeo regctl oras", "crane is here: crane ls, digest and manifest show what a registry has"],
  ["git gh svn", sources],
  [
    "scp sftp rsync",
    "ssh NODE cat FILE > COPY copies from a node, ssh NODE 'cat > FILE' < COPY to it, kubectl cp from and into containers",
  ],
  ["apt apt-get aptitude dpkg yum dnf rpm apk snap brew pacman zypper pip pip3 npm npx yarn cargo gem", installing],
  ["python python2 python3 perl ruby node php lua go java javac gcc g++ make rustc", languages],
  ["man info whatis apropos tldr", manuals],
  ["tmux screen byobu zellij", windows],
  ["sudo su doas", root],
  ["systemctl journalctl service initctl", services],
  ["traceroute tracepath mtr nmap tcpdump iptables nft", network],
  ["emacs pico ne joe micro code subl gedit ed ex", files],
  ["aws gcloud az doctl terraform tofu ansible ansible-playbook pulumi vagrant", clouds],
  ["zsh fish ksh csh tcsh pwsh", "the shell here is bash"],
  ["yq", "kubectl get -o yaml prints YAML, kubectl get -o json | jq takes JSON apart"],
  ["htop btop atop iotop vmstat iostat", "top shows this machine, kubectl top nodes and kubectl top pods the cluster"],
  ["zip unzip bzip2 bunzip2 xz unxz 7z", "tar and gzip are here"],
  ["tree", "find . and ls -R are here"],
  ["ack ag rg fzf", "grep -r and find are here"],
  ["crontab at", "kubectl create cronjob runs something at its time, in the cluster"],
  ["reboot shutdown halt poweroff", "the button over the lab begins it anew; ssh NODE opens a node"],
  ["xdg-open open firefox chromium lynx w3m", "a browser is among the panels over the terminal, and curl is here"],
  [
    "kubctl kubeclt kubetcl kubcetl kubect kubectk kuebctl kubelctl kubectll kubectl.exe kube Kubectl KUBECTL",
    "did you mean kubectl? k is short for it, and Tab completes",
  ],
];

const sentenceOf: ReadonlyMap<string, string> = new Map(
  sentences.flatMap(([commands, sentence]) => commands.split(" ").map((command) => [command, sentence] as const)),
);

/** Letters of an input method that looks like ASCII and is not, and what word processors make of quotes and hyphens. */
const fullWidth = /[\u3000\uff01-\uff5e]/u;
const typographic = /[\u00a0\u2010-\u2015\u2018-\u201f\u202f]/u;

/** A prompt that was copied with the command behind it. */
const prompt = /^(?:\$|[^@\s]+@[^@\s]+:[^\s]*[$#])$/u;

/** What to say to somebody who typed a command that is not here; undefined where bash has said all. */
export function insteadOf(command: string): string | undefined {
  if (fullWidth.test(command)) return "There are full-width characters in it: switch the input method to half-width.";
  if (typographic.test(command)) return "There are typographic characters in it: commands take plain quotes, hyphens and spaces.";
  if (prompt.test(command)) return `${command} is the prompt: type what stands behind it.`;
  const sentence = sentenceOf.get(command.split("/").at(-1) ?? "");
  return sentence === undefined ? undefined : `No ${command} here: ${sentence}.`;
}
