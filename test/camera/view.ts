/** How a camera looks at an eyeground: which degrees fall on which pixel. */

/** What lies in the middle of the picture. */
export type Field = 'macula' | 'disc'

export type View = {
  readonly width: number
  readonly height: number
  /** The round aperture, pixels. */
  readonly centerX: number
  readonly centerY: number
  readonly radius: number
  readonly pixelsPerDegree: number
  /** The degrees at the centre of the aperture. */
  readonly degreesX: number
  readonly degreesY: number
  /** 1 where the nose is on the right of the picture (a right eye), -1 where it is on the left. */
  readonly noseward: 1 | -1
}

/** The usual angle of a screening camera, degrees across the aperture. */
const FIELD_OF_VIEW = 45

/** `shot` counts the photographs of one eye and field: no patient holds quite still between two of them. */
export function viewOf(options: {
  readonly eye: 'right' | 'left'
  readonly field: Field
  readonly shot: number
  readonly width: number
  readonly height: number
}): View {
  const { width, height, shot } = options
  const radius = Math.min(width, height) * 0.487
  return {
    width,
    height,
    centerX: width / 2,
    centerY: height / 2,
    radius,
    pixelsPerDegree: (radius * 2) / FIELD_OF_VIEW,
    degreesX: (options.field === 'macula' ? 2.5 : 13.5) + Math.sin(shot * 2.4) * Math.min(shot, 1.4),
    degreesY: (options.field === 'macula' ? 0.3 : 1) + Math.cos(shot * 2.4) * Math.min(shot, 1.4),
    noseward: options.eye === 'right' ? 1 : -1,
  }
}
