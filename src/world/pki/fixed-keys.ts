// Four key pairs that every simulated cluster, and every node of its control plane, has in common, so that a cluster starts without searching for primes. They
// protect nothing: the world is the learner's own. All other keys are made when somebody first reads them.

import { privateKeyOf, type RsaPrivateKey } from "#x509/rsa.ts";

/** The primes, in base 36. */
const primes = {
  authority: [
    "19hxscoocn94ba1u766h4472q9jdbj65pxrpnedepz6y59kbosw06muinfd1v47gpiaylsx7dm7pwtenj9t3qm9cj4k5enzba623yviarh0iorphuqo9cc9vq64ge1fo30bpc5ea96br51nfkxn753z207k9x3cmnzd0hk06ftbdrxmhbp45dtjh3exf4x8y7ckr2jd",
    "11x0kx6tzt8l0n6y1e358afxka1b88feclpr4bgbamgsoemsy5a0t09gnbn897pezktnvb4qa5embx8hanvqo6vs79ayox0z5i2rvvmm14qwy9tx1ih5w99m6r0ia4xy8rsu2wdq6xes2ipgw1hutqfzja1a2xhrwuhdqxxjjckys8qthl7mmcu5caaoc2ygcumktc1",
  ],
  apiServer: [
    "19rv7r6b6p7y4g99cysbhlto3z1ie5k7836zjk7107wfn1xaypzoudbs7la6hgwkk4mcntwuh8cupm3swkzo7cdx4gomx0l6eos8lwxdscmi068cvm4024xef7m0nw3kf4ub2fmalf98qqfhyl97x1jqkv3pow9oejnfjshldajhkxbqwgznwp3jfrojg9tnr12t1l5",
    "164jjglc08h2vi2zi4udnka0ukx5ec19te66kkj4fotrzus6y0bl6pd69jqq2dqxs1qsaa3ov0bf0u3mc1c0lo4xs97oew5c7kyjc1s3410d04zgflz78ygh6ny7ohrnvx8xwm6nst4crn0v3typwhjima80waeoajevv4r80o9c2qg09p8syqqdv5cof3ga74c2yr5",
  ],
  administrator: [
    "19id3qhkz5dwnhlsy1efalzzzl6hz18sak8gfbzq23enybmbkrfyf23x8iy2itgtf7rrnkyyo4ana3zemzzrd6l3tqxbrm1srpdprvscgaqd6c1lk7uu9cojrlqycwl4txb3g3xyuajvy7etg0aae2bmhvsjfs84tpjv6fkzhoornan6yttgwq1qzmmcbo9tlzcp04t",
    "11kb1h2pb3ly5m6oc36gpplpz5o5hteffpgskpsbohh4baspurn7wr9ujt3gr49j8zs3r59fktvgrq8edrzpux4wxv4yzi3t1cum8uwx6dqv203pd0vmu8ccb07gnvwvgkfy3ajyyfq33llj2o99bjnxeku8o4zbf9jw5310eu26f7dm2e8nbcovnv3wena5d9wvzbb",
  ],
  kubeletClient: [
    "19ixvm5w32xm99qgshoxa2fmv3f8tovlbf8oy0022r1m2v58y1z4xmd7ed7yapczeyeo5zlqws1o3719vs0n5hazm2trdsxbc7slzjmytuhja1au5uz41jdw2t19lpbsqrwgbdksyilswfuusg6qd4ouagcnwvr90s3415j0cn2yqrx75h1zsrk5jn6iymqv9dczbxn",
    "zxey5glds6jfwp65q3urp7kgizwc3e79lcg93gfij7mlnepkq9e3s45l7ch5hkd0l7mz35we2aclytlgks4491i3cz5xuqmf1mcna4o8gkdhovvwr2abafnnmtj98yzmiylypiwvkfci7andhzprzob66v52qgied8rsghk702o1qh4wr0anujn8sd7hw9q1nc1cvv",
  ],
} as const;

const base = 36n;
const made = new Map<string, RsaPrivateKey>();

export function fixedKey(name: keyof typeof primes): RsaPrivateKey {
  let key = made.get(name);
  if (key === undefined) {
    const [p, q] = primes[name];
    key = privateKeyOf(numberOf(p), numberOf(q));
    made.set(name, key);
  }
  return key;
}

function numberOf(digits: string): bigint {
  let value = 0n;
  for (const digit of digits) value = value * base + BigInt(Number.parseInt(digit, 36));
  return value;
}
