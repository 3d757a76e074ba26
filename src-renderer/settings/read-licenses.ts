/** The licenses of what is shipped, as they were collected when the screens were built. */
import { z } from 'zod'

const licensesSchema = z.object({
  packages: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      license: z.string().nullable(),
      text: z.number().int().nullable(),
    }),
  ),
  texts: z.array(z.string()),
})
export type Licenses = z.infer<typeof licensesSchema>

/** Null where the list is not there, as with screens that are being developed. */
export async function readLicenses(): Promise<Licenses | null> {
  try {
    const answer = await fetch('./licenses.json')
    if (!answer.ok) return null
    const reading = licensesSchema.safeParse(await answer.json())
    return reading.success ? reading.data : null
  } catch (error) {
    // No answer, or one that is no JSON: a development server gives its page instead.
    if (error instanceof TypeError || error instanceof SyntaxError) return null
    throw error
  }
}
