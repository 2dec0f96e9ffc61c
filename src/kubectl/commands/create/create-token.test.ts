import { describe, expect, it } from "vitest";
import { serviceAccounts } from "#cluster/api/kinds.ts";
import { check } from "../../kubectl.test-kit.ts";
import { rbacWorld } from "../../rbac.test-kit.ts";

describe("kubectl create token", () => {
  it("prints the token alone, or the answer", () => {
    const made = rbacWorld();
    made.client.create(serviceAccounts, { metadata: { name: "robot", namespace: "default" } });
    const { code, stdout } = made.run("create token robot --duration=10m --audience=vault");
    const claims = JSON.parse(atob((stdout.split(".")[1] as string).replaceAll("-", "+").replaceAll("_", "/")));
    expect([code, stdout.includes("\n"), claims.aud, claims.exp - claims.iat]).toEqual([0, false, ["vault"], 600]);
    expect(made.run("create token robot -o jsonpath={.spec.expirationSeconds}").stdout).toBe("3600");
  });

  it("words what is wrong as kubectl does", () => {
    check(rbacWorld(), [
      { line: "create token nobody", code: 1, stderr: 'error: failed to create token: serviceaccounts "nobody" not found\n' },
      {
        line: "create token default --duration=5m",
        code: 1,
        stderr:
          'error: failed to create token: TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 300: may not specify a duration less than 10 minutes\n',
      },
      { line: "create token default --duration=-1s", code: 1, stderr: "error: --duration must be greater than or equal to 0\n" },
      {
        line: "create token default --duration=1500ms",
        code: 1,
        stderr: "error: --duration cannot be expressed in units less than seconds\n",
      },
      {
        line: "create token default --bound-object-name=x",
        code: 1,
        stderr: "error: --bound-object-name can only be set if --bound-object-kind is provided\n",
      },
      {
        line: "create token default --bound-object-kind=Job",
        code: 1,
        stderr: "error: supported --bound-object-kind values are Node, Pod, Secret\n",
      },
      {
        line: "create token default --bound-object-kind=Pod",
        code: 1,
        stderr: "error: --bound-object-name is required if --bound-object-kind is provided\n",
      },
    ]);
  });
});
