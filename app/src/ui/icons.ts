/** Outlines in a box of 20 by 20, drawn with a stroke of 1.6. */
const PATHS = {
  close: "M5 5l10 10M15 5L5 15",
  play: "M7 4.5v11l9-5.5z",
  pause: "M7 4.5v11M13 4.5v11",
  compare: "M3 7h12l-3-3M17 13H5l3 3",
  wipe: "M7 6l-4 4 4 4M13 6l4 4-4 4",
  theme: "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM10 3v14M12 4v12M14 5.500v9M16 8v4",
  chevron: "M7 5l5 5-5 5",
  eye: "M2.5 10S5.5 5 10 5s7.5 5 7.5 5-3 5-7.5 5-7.5-5-7.5-5zM10 12.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4z",
  hidden:
    "M3 3l14 14M4.5 7.2C3.200 8.500 2.500 10 2.500 10S5.500 15 10 15c1 0 2-.3 2.800-.6M8 5.300C8.600 5.100 9.300 5 10 5c4.500 0 7.500 5 7.500 5s-.7 1.200-1.900 2.400",
  solo: "M10 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM10 2.500v2.500M10 15v2.500M2.500 10H5M15 10h2.500",
  lock: "M5.500 9h9v7.500h-9zM7 9V6.500a3 3 0 0 1 6 0V9",
  unlock: "M5.500 9h9v7.500h-9zM7 9V6.500a3 3 0 0 1 5.800-1",
  frame: "M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4",
  camera:
    "M3 6.500h3L7.500 4.500h5L14 6.500h3V16H3zM10 13.800a2.800 2.800 0 1 0 0-5.600 2.800 2.800 0 0 0 0 5.600z",
  film: "M3 5h14v10H3zM8.500 7.800v4.400l3.800-2.200z",
  up: "M10 17V4M6 8l4-4 4 4M4 17h12",
  question: "M7.300 7.500a2.700 2.700 0 1 1 4 2.300c-.9.5-1.300 1-1.300 2M10 14.800v.4",
  previous: "M12 5l-5 5 5 5",
  next: "M8 5l5 5-5 5",
  undo: "M7 5L3.500 8.500 7 12M3.500 8.500H12a4 4 0 0 1 0 8H9",
  share: "M8 12L15 5M10.500 4.500H15.500V9.500M13 12v4H4V7h4",
} as const;

/** Name of an icon. */
export type IconName = keyof typeof PATHS;

const SVG = "http://www.w3.org/2000/svg";

/** Creates an icon in the color of the surrounding text; screen readers skip it. */
export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}
