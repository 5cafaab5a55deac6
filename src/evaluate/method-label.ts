/** Display names of the methods; a method without one is shown by the name the user typed. */
const LABELS: Record<string, string> = {
  network: "HeterSkin (default model)",
  permissive: "HeterSkin (permissive model)",
  paper: "HeterSkinNet (paper)",
  rignet: "RigNet",
  neuroskinning: "NeuroSkinning",
  heat: "Heat diffusion",
  "heat:blind": "Heat diffusion, visibility ignored",
  "geodesic-voxel": "Geodesic voxel binding",
  "geodesic-voxel:maya": "Geodesic voxel binding (Maya's setting)",
  hollow: "Falloff on HollowDist",
  euclid: "Falloff on Euclidean distance",
  volumetric: "Falloff on volumetric geodesic distance",
  "inverse-distance": "Inverse distance",
  blender: "Blender 3.4 automatic weights",
  artist: "The artist's own weights, pruned (ceiling)",
  "paper-euclid": "… with Euclidean distance",
  "paper-without-inter": "… without inter-graph convolution",
  "paper-without-smooth": "… without the smoothing term",
};

/** Returns the display name of a method. */
export function methodLabel(method: string): string {
  if (LABELS[method]) return LABELS[method];
  const [kind, ...rest] = method.split(":");
  const base = (rest.join(":").split(/[\\/]/).filter(Boolean).pop() ?? "").replace(/\.onnx$/, "");
  if (kind === "existing" && base) return `Weights in ${base}`;
  if (kind === "model" && base) return `Model ${base}`;
  return method;
}

/** Returns whether a method is one of the paper's ablations. */
export function isAblation(method: string): boolean {
  return (
    /(^|[-/])(euclid|without-inter|without-smooth)(\.onnx)?$/.test(method) && method !== "euclid"
  );
}
