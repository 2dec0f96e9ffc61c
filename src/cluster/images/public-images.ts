// All images that anyone can pull, beside those of the control plane (`system-images.ts`).

import { baseImages } from "./base-images.ts";
import { httpdImages } from "./httpd/image.ts";
import type { Image } from "./image.ts";
import { nginxImages } from "./nginx/image.ts";
import { pauseImages } from "./pause.ts";
import { redisImages } from "./redis/image.ts";
import { sampleImages } from "./samples/image.ts";

export const publicImages: readonly Image[] = [
  ...nginxImages,
  ...httpdImages,
  ...redisImages,
  ...baseImages,
  ...pauseImages,
  ...sampleImages,
];
