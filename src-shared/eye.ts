import { z } from 'zod'

/** `right` is OD, `left` is OS. An eye that nothing states is `unknown`; the order of images never gives one. */
export const EYES = ['right', 'left', 'unknown'] as const
export const eyeSchema = z.enum(EYES)
export type Eye = z.infer<typeof eyeSchema>

/** The clinic's short form, as it stands on screens and in the names of the files we send. */
export const EYE_CODES = { right: 'OD', left: 'OS', unknown: 'XX' } as const satisfies Record<Eye, string>
