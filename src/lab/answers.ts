// Answers the page's questions about a lab's world. A download of its own: it comes with the first question.

import type { Docs } from "#cluster/api/openapi/dialect.ts";
import { historyAnswerers } from "#history/answers.ts";
import type { Recorder } from "#history/recorder.ts";
import { storedObjects } from "#world/stored-objects.ts";
import type { World } from "#world/world.ts";
import { comparedObjects } from "./compared-objects.ts";
import type { PictureWish } from "./definition.ts";
import { learnerAnswerers } from "./learner-questions.ts";
import { missingImages } from "./missing-images.ts";
import { pastView } from "./past-view.ts";
import type { Answer, Asked, QuestionName } from "./questions.ts";

export interface AnswersOptions {
  /** The API's documentation, as far as it is loaded. */
  readonly docs?: () => Docs;
  /** What the lab has in its picture. */
  readonly wishes?: readonly PictureWish[];
  /** All that the lab itself names. */
  readonly labText?: string;
}

type Answerers = { readonly [Name in QuestionName]: (asked: Asked<Name>) => Answer<Name> };

export class Answers {
  readonly #answerers: Answerers;

  constructor(world: World, recorder: Recorder, { docs = () => ({}), wishes = [], labText = "" }: AnswersOptions = {}) {
    const objects = storedObjects(world);
    const view = { wishes, customTypes: () => (world.apiAvailable ? world.client.customTypes() : []) };
    this.#answerers = {
      ...historyAnswerers(objects, recorder),
      ...learnerAnswerers(world.workstation, docs),
      past: ({ atMs }) => pastView(objects, recorder, atMs, view),
      missingImages: () => missingImages(objects.list("pods"), (image) => labText.includes(image)),
      compared: () => comparedObjects(objects),
    };
  }

  answer<Name extends QuestionName>(name: Name, asked: Asked<Name>): Answer<Name> {
    return this.#answerers[name](asked);
  }
}
