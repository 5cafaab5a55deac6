/** Names of the show characters, which are also the names of their files. */
export type ShowName = "knight" | "witch" | "vixen" | "drake" | "tinbot" | "child";

/** A character that is shipped as a file, with an image of it. */
export interface ShowCharacter {
  name: ShowName;
  /** One word for a gallery. */
  label: string;
  /** A few words for a gallery. */
  title: string;
}

/** All show characters; the page opens on the first. */
export const SHOW: readonly ShowCharacter[] = [
  { name: "knight", label: "Knight", title: "Knight with cape, sword and shield" },
  { name: "witch", label: "Witch", title: "Witch with a bent hat and a broom" },
  { name: "vixen", label: "Fox", title: "Fox with a neckerchief, on four legs" },
  { name: "drake", label: "Dragon", title: "Dragon with wings of skin" },
  { name: "tinbot", label: "Robot", title: "Robot of rigid parts" },
  { name: "child", label: "Child", title: "Child in a raincoat" },
];

/** Address of a show character's file in the page. */
export function showFile(name: string): string {
  return `samples/${name}.glb`;
}
