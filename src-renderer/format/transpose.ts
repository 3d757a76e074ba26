/** The same lens written with the other sign of its cylinder. Pure. */

export type Refraction = { readonly sphere: number; readonly cylinder: number; readonly axis: number }

/** Sphere and cylinder are added, the sign of the cylinder turns, and the axis goes a quarter on; 0 is written 180. */
export function transposed({ sphere, cylinder, axis }: Refraction): Refraction {
  return {
    sphere: toThousandths(sphere + cylinder),
    cylinder: -cylinder || 0,
    axis: axis > 90 ? axis - 90 : axis + 90,
  }
}

/** Sums of quarters are exact; this is for the tenths and hundredths that autorefractors print. */
function toThousandths(value: number): number {
  return Math.round(value * 1_000) / 1_000 || 0
}
