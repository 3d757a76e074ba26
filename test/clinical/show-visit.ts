/** The clinic of one visit in full: its files in their order, the truth, and the cases in the end. */
import { allConventions } from './all-conventions.ts'
import { conventionOf, drawClinic, VISITS_PER_CLINIC } from './clinic.ts'
import { examineClinic, type OpenForReader } from './examine.ts'
import { examineHandsFree, HANDS_FREE_VISITS } from './hands-free.ts'
import { FIRST_HANDS_FREE_VISIT } from './run.ts'
import type { VisitScore } from './score.ts'
import type { ExaminedStation } from './station.ts'
import type { Clinic, FileEvent } from './world.ts'

type Shown = { readonly clinic: Clinic; readonly visits: readonly VisitScore[] }

/** `number` is a visit's number as an example names it. */
export async function showVisit(number: number, seed: number, openFor: OpenForReader): Promise<string[]> {
  let station: ExaminedStation | null = null
  const openAndHold: OpenForReader = async (clinic) => (station = await openFor(clinic))
  const { clinic, visits } =
    number < FIRST_HANDS_FREE_VISIT
      ? await examineNumber(Math.floor(number / VISITS_PER_CLINIC), seed, openAndHold)
      : await examineTaught(
          Math.floor((number - FIRST_HANDS_FREE_VISIT) / HANDS_FREE_VISITS),
          seed,
          openAndHold,
        )
  const lines = [`${clinic.convention}, variant ${clinic.variant}, the person ${clinic.attendance}`]
  for (const event of clinic.events) lines.push(describeEvent(clinic, event))
  for (const { index, person, day } of clinic.visits)
    lines.push(
      `visit ${index}: ${person.id} ${person.last} ${person.first} ${person.birthDate} on ${day}: ${[...visits[index]!.outcomes].join(', ')}`,
    )
  for (const { pictures, verdicts, ...rest } of (station as ExaminedStation | null)?.cases() ?? []) {
    lines.push(JSON.stringify(rest))
    for (const { path, bytes, eye } of pictures) lines.push(`    ${path} (${bytes}) as ${eye}`)
    if (verdicts !== undefined) lines.push(`    ${JSON.stringify(verdicts)}`)
  }
  return lines
}

async function examineNumber(number: number, seed: number, openFor: OpenForReader): Promise<Shown> {
  const clinic = drawClinic(conventionOf(allConventions, number), seed, number)
  return { clinic, visits: await examineClinic(clinic, await openFor(clinic)) }
}

function examineTaught(number: number, seed: number, openFor: OpenForReader): Promise<Shown> {
  return examineHandsFree(conventionOf(allConventions, number), seed, number, openFor)
}

function describeEvent({ pictures }: Clinic, { atMs, path, content }: FileEvent): string {
  const at = new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')
  if (content.kind === 'data') return `${at}  ${path}  ${content.text}`
  const { visit, eye, facts } = pictures.get(content.bytes)!
  const dicom = content.dicom === null ? '' : ` ${JSON.stringify(content.dicom)}`
  return `${at}  ${path}  ${content.bytes}: visit ${visit}, ${eye}, who ${facts.who}, day ${facts.day}, eye ${facts.eye}${dicom}`
}
