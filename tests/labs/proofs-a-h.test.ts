import { proveLabs } from "./proofs.ts";

proveLabs("a", "h");
