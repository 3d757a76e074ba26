/**
 * The station that `npm run clinical` examines: the station's own decisions over an outbox in memory. It keeps files
 * and cases, and leaves every verdict to `src-main/station/cases`.
 */
import type { StatedEye } from '../../src-shared/measurement-ranges.ts'
import { patientBesideEntry } from '../../src-main/station/cases/answers.ts'
import { type ContentFacts, foldPath, stemKeyOf } from '../../src-main/station/cases/meaning/sources.ts'
import type { PictureEvidence } from '../../src-main/station/cases/verdict/evidence.ts'
import type { HeldRecord, NameUse } from '../../src-main/station/cases/verdict/binding.ts'
import { provesFile } from '../../src-main/station/cases/profiles/confirmation.ts'
import { isOfOtherVisit, verdictOnDay } from '../../src-main/station/cases/verdict/day.ts'
import { localDate } from '../../src-main/station/cases/meaning/dates.ts'
import { bareId } from '../../src-main/station/cases/meaning/numbers.ts'
import { type Person, personIn } from '../../src-main/station/cases/meaning/persons.ts'
import {
  BURST_GAP_MS,
  burstsOf,
  folderOfVisit,
  groupOf,
} from '../../src-main/station/cases/verdict/together.ts'
import { valueIn } from '../../src-main/station/cases/verdict/verdict.ts'
import { verdictOnVisit, type VisitVerdict } from '../../src-main/station/cases/verdict/visit.ts'
import {
  clearanceAfterAnswers,
  type HeldCase,
  type HeldPicture,
  isAllEntered,
  isContradicted,
  isOpen,
  showCase,
  statedNumber,
} from './examined-case.ts'
import { evidenceOf, readHeaders } from './examined-evidence.ts'
import { ClinicMemory, ClinicProfiles } from './examined-memory.ts'
import { nameKeyOf, nameOf, RecordBook, stemsOf } from './examined-records.ts'
import type { Corrections, ExaminedCase, ExaminedNote, ExaminedStation } from './station.ts'
import { type Clinic, type DataFile, type FileEvent, type Picture, QUIET_MS } from './world.ts'

/** Opens a station for a clinic, whose DICOM files the station's reader of bytes has read before. */
export async function openExamined({ events }: Clinic): Promise<ExaminedStation> {
  return new MemoryStation(await readHeaders(events))
}

class MemoryStation implements ExaminedStation {
  readonly #pictures = new Map<string, HeldPicture>()
  readonly #byStem = new Map<string, HeldPicture[]>()
  /** By the folder of the visit and the plain name: a record that names it may mean any of them. */
  readonly #byName = new Map<string, HeldPicture[]>()
  readonly #usesOf = new Map<string, Set<string>>()
  readonly #records = new RecordBook()
  readonly #patientsOfFolder = new Map<string, Set<string>>()
  readonly #cases: HeldCase[] = []
  readonly #byGroup = new Map<string, HeldCase[]>()
  readonly #collecting = new Set<HeldCase>()
  readonly #notes: ExaminedNote[] = []
  readonly #memory = new ClinicMemory()
  readonly #profiles = new ClinicProfiles()
  /** What is known of a picture, until something about it changes. */
  readonly #evidence = new Map<HeldPicture, PictureEvidence>()
  readonly #facts: ReadonlyMap<string, ContentFacts>
  #now = 0

  constructor(facts: ReadonlyMap<string, ContentFacts>) {
    this.#facts = facts
  }

  arrive(event: FileEvent): void {
    this.#now = event.atMs
    const { content, path } = event
    if (content.kind === 'data') this.#arriveData(path, content)
    else if (content.isDamaged)
      this.#notes.push({ text: 'This image is damaged.', path, bytes: content.bytes, caseKey: null })
    else this.#arrivePicture(event, content)
  }

  advance(toMs: number): void {
    this.#now = toMs
    for (const held of this.#collecting) if (held.quietAt <= toMs) this.#settle(held)
  }

  cases(): readonly ExaminedCase[] {
    return this.#cases.flatMap((held) =>
      held.pictures.length === 0 ? [] : [(held.shown ??= this.#show(held, this.#decide(held)))],
    )
  }

  notes(): readonly ExaminedNote[] {
    return this.#notes
  }

  answer(caseKey: string, corrections: Corrections): void {
    const held = this.#caseOf(caseKey)
    this.#enter(held, corrections)
    this.#settle(held)
  }

  approve(caseKey: string, corrections: Corrections | null): void {
    const held = this.#caseOf(caseKey)
    if (corrections !== null) this.#enter(held, corrections)
    this.#collecting.delete(held)
    held.state = 'sentSeen'
    this.#memory.noteOpen(held.key, null, [])
    const verdict = this.#decide(held)
    this.#noteFolders(held, verdict)
    held.shown = this.#show(held, verdict)
    const { historyNumber, visitDate, lastName, firstName, pictures } = held.shown
    this.#memory.noteEyes(pictures.map(({ eye }) => eye))
    if (historyNumber === null) return
    this.#memory.noteApproved(historyNumber, this.#evidenceOfAll(held))
    if (visitDate === null) return
    this.#profiles.noteApproved({
      caseId: caseKey,
      patient: bareId(historyNumber),
      visitDay: visitDate,
      files: pictures.flatMap(({ path, eye }) => (eye === 'unknown' ? [] : [{ path, eye }])),
      historyNumber,
      lastName,
      firstName,
      corrected: corrections !== null,
    })
  }

  offers(): readonly { readonly key: string; readonly text: string }[] {
    return this.#offers().map(({ key, pattern }) => ({ key, text: pattern }))
  }

  confirm(offerKey: string): void {
    const offer = this.#offers().find(({ key }) => key === offerKey)
    if (!offer) return
    this.#profiles.confirm(offer, this.#now)
    this.#evidence.clear()
  }

  #offers(): ReturnType<ClinicProfiles['offers']> {
    return this.#profiles.offers(() => [...this.#pictures.values()].flatMap(({ paths }) => paths))
  }

  #caseOf(key: string): HeldCase {
    const held = this.#cases.find((one) => one.key === key)
    if (!held) throw new Error(`There is no ${key}.`)
    return held
  }

  #enter(held: HeldCase, corrections: Corrections): void {
    held.entered = { ...held.entered, ...corrections, eyes: { ...held.entered.eyes, ...corrections.eyes } }
    held.enteredFor = new Set(held.pictures.map(({ id }) => id))
  }

  #arrivePicture({ path, atMs, mtimeMs }: FileEvent, content: Picture): void {
    const folded = foldPath(path)
    const uses = this.#usesOf.get(folded) ?? new Set()
    this.#usesOf.set(folded, uses.add(content.bytes))
    const known = this.#pictures.get(content.bytes) ?? this.#twinOf(path, content)
    const stated = this.#facts.get(content.bytes)
    const facts = stated === undefined ? [] : [{ path, facts: stated }]
    if (known) {
      if (!known.paths.includes(path)) known.paths.push(path)
      known.facts.push(...facts)
      this.#pictures.set(content.bytes, known)
      this.#reconsider(known)
      return
    }
    const { bytes: id, photograph } = content
    const picture: HeldPicture = { id, photograph, paths: [path], facts, seenMs: atMs, mtimeMs, home: null }
    this.#pictures.set(id, picture)
    const namesakes = this.#byName.get(nameKeyOf(path)) ?? []
    for (const other of namesakes) this.#evidence.delete(other)
    this.#byName.set(nameKeyOf(path), [...namesakes, picture])
    const stem = stemKeyOf(path)
    const fellows = this.#byStem.get(stem) ?? []
    for (const other of fellows) this.#evidence.delete(other)
    this.#byStem.set(stem, [...fellows, picture])
    this.#assign(picture)
    if (uses.size === 1) return
    // Another picture of this name was here before: what was bound to the name is bound no more.
    const others = new Set([...uses].flatMap((bytes) => this.#pictures.get(bytes) ?? []))
    for (const other of others) {
      this.#evidence.delete(other)
      if (other.home && isOpen(other.home)) this.#touch(other.home)
    }
  }

  /** A JPEG beside its DICOM file, if both show the same photograph. */
  #twinOf(path: string, content: Picture): HeldPicture | undefined {
    return this.#byStem.get(stemKeyOf(path))?.find(({ photograph }) => photograph === content.photograph)
  }

  #arriveData(path: string, { text }: DataFile): void {
    const concerns = this.#records.write(path, text)
    if (concerns === null) return
    for (const picture of new Set(this.#pictures.values()))
      if (picture.paths.some(concerns)) this.#reconsider(picture)
  }

  /** Something arrived about a picture: it finds its case again, or what contradicts a sent case is an alarm. */
  #reconsider(picture: HeldPicture): void {
    this.#evidence.delete(picture)
    const { home } = picture
    if (home === null || isOpen(home)) this.#assign(picture)
    else this.#checkSent(home)
  }

  /** Finds the case of a picture, or opens one. */
  #assign(picture: HeldPicture): void {
    const group = this.#groupOf(picture)
    const { home } = picture
    if (home !== null && (home.group === group || home.entered.historyNumber !== undefined)) {
      this.#touch(home)
      return
    }
    const found = this.#byGroup
      .get(group)
      ?.findLast((held) => held.pictures.length > 0 && this.#joins(held, picture))
    const isLate = found !== undefined && !isOpen(found)
    const target = found !== undefined && isOpen(found) ? found : this.#open(group, isLate ? found.key : null)
    if (home !== null) {
      home.pictures.splice(home.pictures.indexOf(picture), 1)
      home.shown = null
      if (home.pictures.length === 0) this.#collecting.delete(home)
    }
    target.pictures.push(picture)
    picture.home = target
    this.#touch(target)
  }

  /** Loose pictures join only the burst that they belong to, and never a case whose number a person entered. */
  #joins(held: HeldCase, picture: HeldPicture): boolean {
    if (held.group.startsWith('patient')) return true
    if (held.entered.historyNumber !== undefined) return false
    if (!held.group.startsWith('loose')) return isOpen(held)
    if (!isOpen(held)) return false
    const timed = [...held.pictures, picture].map((one) => ({
      id: one.id,
      takenAt: one.mtimeMs,
      eye: this.#eyeOf(one),
    }))
    return (
      burstsOf(timed).length === 1 &&
      Math.abs(picture.mtimeMs - (held.pictures.at(-1)?.mtimeMs ?? 0)) <= BURST_GAP_MS
    )
  }

  #eyeOf(picture: HeldPicture): StatedEye | null {
    const verdict = verdictOnVisit([this.#evidenceOf(picture)], this.#memory).eyes.get(picture.id)
    return verdict ? valueIn(verdict) : null
  }

  #open(group: string, lateFor: string | null): HeldCase {
    const held: HeldCase = {
      key: `case ${this.#cases.length + 1}`,
      pictures: [],
      group,
      quietAt: 0,
      state: 'collecting',
      entered: {},
      enteredFor: new Set(),
      lateFor,
      shown: null,
    }
    this.#cases.push(held)
    this.#byGroup.set(group, [...(this.#byGroup.get(group) ?? []), held])
    return held
  }

  #touch(held: HeldCase): void {
    held.state = 'collecting'
    held.quietAt = this.#now + QUIET_MS
    held.shown = null
    this.#collecting.add(held)
  }

  #groupOf(picture: HeldPicture): string {
    const evidence = this.#evidenceOf(picture)
    const { kind, of } = groupOf({
      path: picture.paths.toSorted()[0] ?? '',
      ids: evidence.ids.map(({ value }) => value),
      study: evidence.link,
      instants: evidence.instants,
      isSharedFolder: (folder) => this.#isShared(folder),
    })
    const on = valueIn(verdictOnDay([evidence])) ?? ''
    const kindOfKey = kind === 'weakNumber' ? 'patient' : kind
    return `${kindOfKey} ${of.join(' ')}${kind === 'study' ? '' : ` ${on}`}`
  }

  #isShared(folder: string): boolean {
    return (this.#patientsOfFolder.get(folder)?.size ?? 0) > 1
  }

  #evidenceOf(picture: HeldPicture): PictureEvidence {
    const known = this.#evidence.get(picture)
    if (known) return known
    const { paths, seenMs } = picture
    const use = this.#useOf(picture)
    const evidence = evidenceOf(picture, {
      use,
      bonds: this.#bondsOf(picture, use),
      proving: this.#profiles.confirmed.filter((profile) => provesFile(profile, seenMs)),
      isInSharedFolder: paths.some((path) => this.#isShared(folderOfVisit(path) ?? '')),
    })
    this.#evidence.set(picture, evidence)
    return evidence
  }

  #useOf({ paths, photograph }: HeldPicture): NameUse {
    if (paths.some((path) => (this.#usesOf.get(foldPath(path))?.size ?? 0) > 1)) return 'reused'
    const ofStems = paths.flatMap((path) => this.#byStem.get(stemKeyOf(path)) ?? [])
    return ofStems.some((other) => other.photograph !== photograph) ? 'sharedStem' : 'once'
  }

  #bondsOf(picture: HeldPicture, use: NameUse): ReturnType<RecordBook['bondsOf']> {
    const { paths, photograph, facts, seenMs, mtimeMs } = picture
    const names = new Set(paths.map(nameOf))
    const isBesideAnother = (held: HeldRecord): boolean =>
      this.#records
        .copiesOf(held)
        .flatMap(stemsOf)
        .flatMap((stem) => this.#byStem.get(stem) ?? [])
        .some(
          (other) =>
            other.photograph !== photograph &&
            (held.form !== 'case' || other.paths.some((path) => names.has(nameOf(path)))),
        )
    const when = { paths, seenOn: localDate(seenMs), fileDay: localDate(mtimeMs), isImported: false }
    const ownDays = facts.map(({ facts: { fields } }) => fields.visit_date)
    return this.#records.bondsOf(
      paths,
      use,
      this.#namesakesOf(picture),
      (held) => isOfOtherVisit(held.record.fields.visit_date, when, ownDays) || isBesideAnother(held),
    )
  }

  #namesakesOf({ paths }: HeldPicture): readonly string[] {
    return paths.flatMap((path) => this.#byName.get(nameKeyOf(path)) ?? []).flatMap((other) => other.paths)
  }

  #evidenceOfAll({ pictures }: HeldCase): readonly PictureEvidence[] {
    return pictures.map((picture) => this.#evidenceOf(picture))
  }

  /** The people that its sources name; those of a record under another number are others. */
  #peopleOf(picture: HeldPicture, number: string | null): readonly Person[] {
    const { people, isOverwritten } = this.#evidenceOf(picture)
    const use = isOverwritten ? 'reused' : this.#useOf(picture)
    const bonds = this.#bondsOf(picture, use)
    const ofRecords = bonds.flatMap(({ held: { record } }) => {
      const { history_number: own } = record.fields
      const isOther = number !== null && own !== undefined && bareId(own) !== bareId(number)
      return isOther ? [] : [personIn(record)]
    })
    return [...people.filter(({ source }) => source !== 'sidecar').map(({ value }) => value), ...ofRecords]
  }

  #decide(held: HeldCase): VisitVerdict {
    const { historyNumber } = held.entered
    // Nothing doubts a number that a person has entered.
    this.#memory.records = historyNumber === undefined ? this.#records : null
    this.#memory.asking = held.key
    const verdict = verdictOnVisit(this.#evidenceOfAll(held), this.#memory)
    if (historyNumber === undefined || isAllEntered(held)) return verdict
    const entered = {
      fields: { history_number: historyNumber },
      sources: { history_number: 'person' },
    } as const
    const who = patientBesideEntry(verdict, entered)
    return who === null ? verdict : { ...verdict, who }
  }

  #settle(held: HeldCase): void {
    this.#collecting.delete(held)
    const verdict = this.#decide(held)
    const needs = clearanceAfterAnswers(held, verdict)
    held.state =
      needs === 'needsAnswer' || held.lateFor !== null
        ? 'incomplete'
        : needs === 'needsLook'
          ? 'review'
          : 'sentUnseen'
    // As it was sent: what arrives later changes nothing of it.
    held.shown = this.#show(held, verdict)
    if (held.state === 'sentUnseen') {
      const number = valueIn(verdict.who)
      this.#memory.noteEyes(held.shown.pictures.map(({ eye }) => eye))
      if (number !== null) this.#memory.noteSent(number, this.#evidenceOfAll(held))
    }
    const stated = isOpen(held) ? statedNumber(held, verdict) : null
    this.#memory.noteOpen(held.key, stated, this.#evidenceOfAll(held))
    this.#noteFolders(held, verdict)
  }

  #noteFolders({ entered, pictures }: HeldCase, verdict: VisitVerdict): void {
    const number = entered.historyNumber ?? valueIn(verdict.who)
    if (number === null) return
    for (const folder of new Set(pictures.map(({ paths }) => folderOfVisit(paths[0] ?? '')))) {
      if (folder === null) continue
      const patients = this.#patientsOfFolder.get(folder) ?? new Set()
      this.#patientsOfFolder.set(folder, patients)
      const before = patients.size
      if (patients.add(bareId(number)).size > 1 && before === 1) this.#evidence.clear()
    }
  }

  /** Something arrived about a case that was sent: what contradicts it is an alarm. */
  #checkSent(held: HeldCase): void {
    if (held.shown === null) return
    const people = held.pictures.flatMap((picture) =>
      this.#evidenceOf(picture).people.map(({ value }) => value),
    )
    if (isContradicted(held.shown, this.#decide(held), people))
      this.#notes.push({
        text: `${held.key} may be of another patient.`,
        path: null,
        bytes: null,
        caseKey: held.key,
      })
  }

  #show(held: HeldCase, verdict: VisitVerdict): ExaminedCase {
    return showCase(held, verdict, (number) =>
      held.pictures.flatMap((picture) => this.#peopleOf(picture, number)),
    )
  }
}
