import { proveLabs } from "./proofs.ts";

proveLabs("i", "z");
