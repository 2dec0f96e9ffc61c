// Typed look-ups in the page.

type ElementClass<E extends Element> = abstract new () => E;

export function find<E extends Element>(selector: string, kind: ElementClass<E>, within: ParentNode = document): E | undefined {
  const element = within.querySelector(selector);
  return element instanceof kind ? element : undefined;
}

export function findAll<E extends Element>(selector: string, kind: ElementClass<E>, within: ParentNode = document): readonly E[] {
  return [...within.querySelectorAll(selector)].filter((element): element is E => element instanceof kind);
}

/** One listener for all present and later elements that match. */
export function onClick(selector: string, act: (element: HTMLElement) => void): void {
  document.addEventListener("click", (event) => {
    const element = event.target instanceof Element ? event.target.closest(selector) : null;
    if (element instanceof HTMLElement) act(element);
  });
}
