// Paths on a 20 × 20 grid, drawn with a 1.6 stroke, for pages and workbench alike.

export const iconPaths = {
  menu: "M3 5h14M3 10h14M3 15h9",
  settings: "M3 6h8m4 0h2M3 14h2m4 0h8M13 4v4M7 12v4",
  close: "M5 5l10 10M15 5L5 15",
  run: "M6 4l10 6-10 6z",
  copy: "M7 7h9v10H7zM4 13V3h9",
  check: "M4 10.5l4 4 8-9",
  next: "M8 4l6 6-6 6",
  previous: "M12 4l-6 6 6 6",
  up: "M4 12l6-6 6 6",
  down: "M4 8l6 6 6-6",
  plus: "M10 4v12M4 10h12",
  pause: "M7 4v12M13 4v12",
  skip: "M4 4l7 6-7 6zM12 4l5 6-5 6z",
  back: "M4.5 10a5.5 5.5 0 1 1 1.6 3.9M4.5 10L2.3 7.8M4.5 10l2.3-2.2M10 7v3.2l2.2 1.3",
  more: "M4 9.3h1.4v1.4H4zM9.3 9.3h1.4v1.4H9.3zM14.6 9.3H16v1.4h-1.4z",
  reset: "M4 10a6 6 0 1 0 2-4.5M4 3v4h4",
  fullScreen: "M4 8V4h4M12 4h4v4M16 12v4h-4M8 16H4v-4",
  leaveFullScreen: "M8 4v4H4M16 8h-4V4M12 16v-4h4M4 12h4v4",
  lab: "M2 4h16v12H2zM5 8l3 2.5L5 13M10 13h4",
  search: "M8.5 3a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM12.5 12.5L17 17",
  text: "M4 5h12M4 9h12M4 13h12M4 17h7",
  panels: "M3 4h14v12H3zM3 8h14M8 8v8",
  timeline: "M3 5h5M6 10h8M9 15h8M3 3v14",
  inspect: "M8.5 14a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM12.5 12.5L17 17",
  scheduler: "M4 16V9M8 16V5M12 16v-5M16 16V7M3 17.5h14",
  edit: "M4 16l1-4 8-8 3 3-8 8zM11.5 5.5l3 3",
  browser: "M3 4h14v12H3zM3 8h14M5.5 6h.5M8 6h.5",
} as const;

export type IconName = keyof typeof iconPaths;
