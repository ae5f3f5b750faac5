/** How colours look to people who see them differently, and how far apart two of them are. */

export type Rgb = readonly [red: number, green: number, blue: number];
type Lab = readonly [lightness: number, a: number, b: number];

/** From `#rrggbb` to light, 0 to 1. */
export function linearRgb(hex: string): Rgb {
  const channel = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

/** Machado, Oliveira and Fernandes 2009, for eyes that lack one kind of cone. Of linear light. */
const visions = {
  trichromacy: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152_286, 1.052_583, -0.204_868],
    [0.114_503, 0.786_281, 0.099_216],
    [-0.003_882, -0.048_116, 1.051_998],
  ],
  deuteranopia: [
    [0.367_322, 0.860_646, -0.227_968],
    [0.280_085, 0.672_501, 0.047_413],
    [-0.011_82, 0.042_94, 0.968_881],
  ],
  tritanopia: [
    [1.255_528, -0.076_749, -0.178_779],
    [-0.078_411, 0.930_809, 0.147_602],
    [0.004_733, 0.691_367, 0.3039],
  ],
} as const satisfies Record<string, readonly Rgb[]>;

export type Vision = keyof typeof visions;
export const allVisions = Object.keys(visions) as Vision[];

function times(matrix: readonly Rgb[], [x, y, z]: Rgb): Rgb {
  const [first, second, third] = matrix.map(([a, b, c]) => a * x + b * y + c * z);
  return [first ?? 0, second ?? 0, third ?? 0];
}

export function seenBy(vision: Vision, colour: Rgb): Rgb {
  const [red, green, blue] = times(visions[vision], colour).map((value) => Math.max(0, Math.min(1, value)));
  return [red ?? 0, green ?? 0, blue ?? 0];
}

const toXyz: readonly Rgb[] = [
  [0.412_456_4, 0.357_576_1, 0.180_437_5],
  [0.212_672_9, 0.715_152_2, 0.072_175],
  [0.019_333_9, 0.119_192, 0.950_304_1],
];

/** CIE L*a*b* under daylight D65. */
export function labOf(colour: Rgb): Lab {
  const [x, y, z] = times(toXyz, colour);
  const f = (value: number): number =>
    value > (6 / 29) ** 3 ? Math.cbrt(value) : value / (3 * (6 / 29) ** 2) + 4 / 29;
  const [fx, fy, fz] = [f(x / 0.950_47), f(y), f(z / 1.088_83)];
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** CIEDE2000: 1 is what a trained eye just sees, 10 is seen at a glance. */
export function difference([l1, a1, b1]: Lab, [l2, a2, b2]: Lab): number {
  const meanC = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const g = 0.5 * (1 - Math.sqrt(meanC ** 7 / (meanC ** 7 + 25 ** 7)));
  const [x1, x2] = [a1 * (1 + g), a2 * (1 + g)];
  const [c1, c2] = [Math.hypot(x1, b1), Math.hypot(x2, b2)];
  const hue = (x: number, b: number): number =>
    x === 0 && b === 0 ? 0 : (Math.atan2(b, x) * 180) / Math.PI + (b < 0 ? 360 : 0);
  const [h1, h2] = [hue(x1, b1), hue(x2, b2)];
  const isGrey = c1 * c2 === 0;
  const turn = Math.abs(h2 - h1) > 180 ? (h2 > h1 ? -360 : 360) : 0;
  const dh = isGrey ? 0 : h2 - h1 + turn;
  const dH = 2 * Math.sqrt(c1 * c2) * Math.sin(radians(dh / 2));
  const meanL = (l1 + l2) / 2;
  const mean = (c1 + c2) / 2;
  const sum = h1 + h2;
  const meanH = isGrey ? sum : turn === 0 ? sum / 2 : (sum + (sum < 360 ? 360 : -360)) / 2;
  const t =
    1 -
    0.17 * Math.cos(radians(meanH - 30)) +
    0.24 * Math.cos(radians(2 * meanH)) +
    0.32 * Math.cos(radians(3 * meanH + 6)) -
    0.2 * Math.cos(radians(4 * meanH - 63));
  const sl = 1 + (0.015 * (meanL - 50) ** 2) / Math.sqrt(20 + (meanL - 50) ** 2);
  const sc = 1 + 0.045 * mean;
  const sh = 1 + 0.015 * mean * t;
  const turning = 30 * Math.exp(-(((meanH - 275) / 25) ** 2));
  const rotation = -2 * Math.sqrt(mean ** 7 / (mean ** 7 + 25 ** 7)) * Math.sin(radians(2 * turning));
  const [l, c, h] = [(l2 - l1) / sl, (c2 - c1) / sc, dH / sh];
  return Math.sqrt(l * l + c * c + h * h + rotation * c * h);
}

/** How far apart two colours are to those eyes. */
export const differenceTo = (vision: Vision, one: string, other: string): number =>
  difference(labOf(seenBy(vision, linearRgb(one))), labOf(seenBy(vision, linearRgb(other))));
