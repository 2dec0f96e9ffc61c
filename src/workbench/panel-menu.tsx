// The button that lists the panels there are.

import type { Desk } from "./desk.ts";
import { Icon } from "./icon.tsx";
import { offeredPanels } from "./panels.ts";

export function PanelMenu({ desk }: { readonly desk: Desk }) {
  const { t } = desk;
  return (
    <>
      <button class="panel-button" type="button" popovertarget="panel-menu" title={t("workbench.panels.open")}>
        <Icon name="panels" /> <span class="roomy">{t("workbench.panels.title")}</span>
        <span class="visually-hidden cramped">{t("workbench.panels.title")}</span>
      </button>
      <fieldset class="bare menu panel-menu" id="panel-menu" popover="auto" aria-label={t("workbench.panels.open")}>
        {offeredPanels(desk.session).map(({ id, titleKey, icon }) => (
          <button
            key={id}
            type="button"
            popovertarget="panel-menu"
            popovertargetaction="hide"
            onClick={() => {
              desk.openPanel(id);
              // Once the menu has given the keyboard back and the tab is drawn.
              requestAnimationFrame(desk.focus);
            }}
          >
            <Icon name={icon} /> {t(titleKey)}
          </button>
        ))}
      </fieldset>
    </>
  );
}
