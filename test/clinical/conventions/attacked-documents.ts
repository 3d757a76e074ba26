/** Documents that lie beside an image and are not its proof: of other files, other visits, other blocks, or twofold. */
import { eachShot, type Convention, other, shiftDay, trap } from '../convention.ts'
import {
  drawSpelling,
  type Field,
  insert,
  inventedName,
  keyOf,
  type Node,
  type Spelling,
  toJson,
  toXml,
  type Tree,
  treeOf,
  withField,
} from '../documents.ts'
import type { Draw } from '../draw.ts'
import { type At, besideEach, drawForm, exams } from '../exams.ts'
import { drawStranger } from '../people.ts'
import { caseJson, type Statements, statementsOf } from '../sources.ts'
import type { Eye, Facts } from '../world.ts'

/** Nothing in the document is the image's. */
const NOTHING: Facts = { who: 'hidden', day: 'weak', eye: 'hidden' }

/** Another person's statements, of another day now and then. */
function ofStranger({ draw, visit, shot }: At): Statements {
  const stranger = drawStranger(draw, visit.person, draw.digits(visit.person.id.length))
  return { ...statementsOf({ ...visit, person: stranger }, draw.chance(0.5) ? shot.eye : other(shot.eye)) }
}

/** The document has the stem of this image and names another one. */
const ofAnotherFile = exams(
  'trap',
  'a record that names another file',
  (draw) => {
    const spelling = drawSpelling(draw)
    const form = drawForm(draw)
    const named = draw.style([
      (at: At) => `IMG_${at.draw.int(100, 999)}.jpg`,
      (at: At) => `${at.draw.uuid()}.jpg`,
      (at: At) => at.file.replace(/\.jpg$/, at.draw.pick(['_a.jpg', '1.jpg', '.tif', '-2.jpg'])),
    ])
    return (at, put) => {
      const isOther = at.draw.chance(0.7)
      put.image(isOther ? NOTHING : {})
      const tree = treeOf(spelling, isOther ? ofStranger(at) : at.states, isOther ? named(at) : at.file)
      put.data(`${at.above}${at.stem}.${form.extension}`, form.text(tree))
    }
  },
  { minutesBetween: [6, 30] },
)

/** The counter of the camera began again: the record of an earlier visit still lies there. */
const ofAnotherVisit = exams('trap', 'a record of another visit under the stem', (draw) => {
  const spelling = drawSpelling(draw)
  const form = drawForm(draw)
  const statesFile = draw.style([true, false])
  const range = draw.style([
    [1, 4],
    [20, 90],
    [300, 700],
  ] as const)
  return (at, put) => {
    const isOld = at.draw.chance(0.7)
    put.image(isOld ? NOTHING : {})
    const days = at.draw.int(range[0], range[1])
    const day = shiftDay(at.visit.day, -days)
    const states = isOld ? { ...ofStranger(at), day } : at.states
    const text = form.text(treeOf(spelling, states, statesFile ? at.file : null))
    put.data(`${at.above}${at.stem}.${form.extension}`, text, isOld ? -days * 86_400_000 : 900)
  }
})

/** One fact is stated twice and differently: under one key, under two of its spellings, or in two blocks. */
function twice(fact: 'number' | 'eye' | 'day' | 'name'): Convention {
  return besideEach('trap', `a record that states the ${fact} twice`, (draw, spelling) => {
    const field: Field = ({ number: 'id', eye: 'eye', day: 'day', name: 'last' } as const)[fact]
    const where = draw.style(['same key', 'another spelling', 'block', 'same key again in a block'] as const)
    const block = keyOf(spelling, draw.style(['exam', 'image', 'details', 'acquisition', 'study']))
    const again = otherKey(draw, spelling, field)
    return (at, tree) => {
      const { draw, visit, shot } = at
      const stranger = ofStranger(at)
      const value = {
        number: stranger.id!,
        eye: spelling.eyes[other(shot.eye)],
        day: spelling.day(shiftDay(visit.day, -draw.int(1, 40))),
        name: stranger.last!,
      }[fact]
      if (draw.chance(0.3)) return { tree }
      const key = spelling.names[field]
      const stated: Readonly<Record<typeof where, Tree[number]>> = {
        'same key': [key, value],
        'another spelling': [again, value],
        block: [block, [[again, value]]],
        'same key again in a block': [block, [[key, value]]],
      }
      const disputed = fact === 'eye' ? 'eye' : fact === 'day' ? 'day' : 'who'
      return { tree: insert(draw, tree, stated[where]), facts: { [disputed]: 'disputed' } }
    }
  })
}

const AGAIN: Readonly<Partial<Record<Field, readonly string[]>>> = {
  id: ['patient number', 'patient id', 'history number'],
  eye: ['laterality', 'eye'],
  day: ['exam date', 'study date', 'visit date'],
  last: ['last name', 'family name', 'surname'],
}

/** Another key for the same field. */
function otherKey(draw: Draw, spelling: Spelling, field: Field): string {
  const keys = (AGAIN[field] ?? []).map((terms) => keyOf(spelling, terms))
  return draw.style(keys.filter((key) => key !== spelling.names[field]))
}

const OTHER_BLOCKS = [
  'surgery',
  'planned treatment',
  'last injection',
  'diagnosis',
  'earlier exam',
  'previous visit',
  'order',
  'referral',
  'dominant eye test',
  'consent',
  'insurance',
  'appointment',
  'relative',
  'template',
] as const

/** A block of a drawn or invented name. */
const otherBlock = (draw: Draw, spelling: Spelling): string =>
  draw.style(['known', 'known', 'invented']) === 'known'
    ? keyOf(spelling, draw.style(OTHER_BLOCKS))
    : keyOf(spelling, `${inventedName(draw)} ${draw.style(['info', 'entry', 'data'])}`)

/** The fact stands only in a block that is not about this patient, exam or image, and is another's. */
function elsewhere(fact: 'number' | 'eye' | 'day'): Convention {
  return besideEach('trap', `the ${fact} of something else`, (draw, spelling) => {
    const block = otherBlock(draw, spelling)
    const nested = draw.style([null, null, keyOf(spelling, 'details')])
    const field: Field = ({ number: 'id', eye: 'eye', day: 'day' } as const)[fact]
    return (at, tree) => {
      const key = spelling.names[field]
      const { draw, shot, visit } = at
      const value = {
        number: draw.digits(visit.person.id.length),
        eye: spelling.eyes[draw.chance(0.5) ? shot.eye : other(shot.eye)],
        day: spelling.day(shiftDay(visit.day, -draw.int(5, 300))),
      }[fact]
      const inside: Tree = [
        [key, value],
        [keyOf(spelling, 'status'), 'final'],
      ]
      const all = insert(draw, withField(tree, key, undefined), [
        block,
        nested === null ? inside : [[nested, inside]],
      ])
      const hidden = fact === 'number' ? 'who' : fact
      return { tree: all, facts: { [hidden]: fact === 'day' ? 'weak' : 'hidden' } }
    }
  })
}

/** A block that no one knows contradicts what the record says of this image. */
const unknownBlock = besideEach('trap', 'an unknown block that contradicts', (draw, spelling) => {
  const block = keyOf(spelling, `${inventedName(draw)} ${draw.style(['info', 'set', 'part'])}`)
  const fact = draw.style(['id', 'eye', 'day'] as const)
  return (at, tree) => {
    if (at.draw.chance(0.4)) return { tree }
    const key = spelling.names[fact]
    const value = {
      id: at.draw.digits(at.visit.person.id.length),
      eye: spelling.eyes[other(at.shot.eye)],
      day: spelling.day(shiftDay(at.visit.day, -at.draw.int(1, 40))),
    }[fact]
    return {
      tree: insert(at.draw, tree, [block, [[key, value]]]),
      facts: { [fact === 'id' ? 'who' : fact]: 'disputed' },
    }
  }
})

/** Two whole records for one image, or two patients in one: mother and child, donor and recipient. */
const twoRecords = exams('trap', 'two whole records for one image', (draw) => {
  const spelling = drawSpelling(draw)
  const form = draw.style(['list', 'two blocks of one name', 'two lists', 'XML'] as const)
  const block = keyOf(spelling, draw.style(['patient', 'record', 'exam']))
  return (at, put) => {
    const isTwo = at.draw.chance(0.75)
    put.image(isTwo ? { who: 'disputed', eye: 'disputed' } : {})
    const own = treeOf(spelling, at.states)
    const others = isTwo ? [treeOf(spelling, ofStranger(at))] : []
    const all = at.draw.chance(0.5) ? [own, ...others] : [...others, own]
    const tree: Node = {
      list: { list: all },
      'two blocks of one name': all.map((one) => [block, one] as const),
      'two lists': [[block, { list: all }]] as const,
      XML: [[block, { list: all }]] as const,
    }[form]
    put.data(
      `${at.above}${at.stem}.${form === 'XML' ? 'xml' : 'json'}`,
      form === 'XML' ? toXml('Export', tree as Tree) : toJson(tree),
    )
  }
})

/**
 * The program copies the last record for the next image, which is the other eye or the next patient: its own number and
 * time are those of the image before.
 */
const copiedRecord = trap('a copy of the record of another image', (draw) => {
  const spelling = drawSpelling(draw)
  const form = drawForm(draw)
  const unique = keyOf(spelling, draw.style(['image uid', 'capture id', 'image number']))
  const time = keyOf(spelling, draw.style(['exam time', 'acquisition time', 'capture time']))
  const statesFile = draw.style([true, false])
  const share = draw.style([0.3, 0.6])
  let last: { readonly text: string; readonly of: string } | null = null
  return {
    facts: { who: 'proof', day: 'proof', eye: 'proof' },
    minutesBetween: [4, 20],
    write: eachShot((visit, shot, folder) => {
      const stem = `IMG_${String(3_000 + visit.index * 20 + shot.number)}`
      // A copy of the record of the same eye of the same visit would be right.
      const of = `${visit.index} ${shot.eye}`
      const isCopy = last !== null && last.of !== of && folder.draw.chance(share)
      folder.picture(visit, shot, `${stem}.jpg`, {
        facts: isCopy ? { who: 'weak', day: 'weak', eye: 'weak' } : {},
      })
      const tree: Tree = [
        [unique, folder.draw.uuid()],
        [time, new Date(shot.atMs).toISOString().slice(11, 19)],
        ...treeOf(spelling, statementsOf(visit, shot.eye), statesFile ? `${stem}.jpg` : null),
      ]
      if (!isCopy || last === null) last = { text: form.text(tree), of }
      folder.data(`${stem}.${form.extension}`, last.text, shot.atMs + 900)
    }),
  }
})

/** `IMG_1 (2).jpg` is another photograph, of the next patient; what lies there is `IMG_1.json`, and its copy. */
const stemWithCopyMark = trap('a record for a stem and an image with a mark of a copy', (draw) => {
  const spelling = drawSpelling(draw)
  const form = drawForm(draw)
  const mark = draw.style([' (2)', '_1', ' - Copy', '-2', ' copy'])
  const isCopied = draw.style([true, false])
  return {
    facts: { who: 'proof', day: 'proof', eye: 'proof' },
    perEye: [1, 1],
    minutesBetween: [4, 20],
    write: eachShot((visit, shot, folder) => {
      const isSecond = visit.index % 2 === 1
      const stem = `photo${visit.index - (visit.index % 2)}${'abcdef'[shot.number]}`
      const path = isSecond ? `${stem}${mark}` : stem
      // No record says anything of the second patient's image.
      folder.picture(visit, shot, `${path}.jpg`, { facts: isSecond ? NOTHING : {} })
      const text = form.text(treeOf(spelling, statementsOf(visit, shot.eye)))
      if (!isSecond) {
        folder.data(`${stem}.${form.extension}`, text, shot.atMs + 900)
        if (isCopied) folder.data(`${stem}${mark}.${form.extension}`, text, shot.atMs + 1_200)
      }
    }),
  }
})

/** Two cameras count in few digits into one folder, and only one of them writes records. */
const twoDevices = trap('a stem of few digits of two devices', (draw) => {
  const spelling = drawSpelling(draw)
  const form = drawForm(draw)
  const width = draw.style([1, 2, 3, 4])
  const second = draw.style(['.png', '.tif', '.JPEG', '.bmp'])
  const isFirst = draw.style([true, false])
  let count = draw.int(1, 5)
  let before: { readonly stem: string }[] = []
  return {
    facts: { who: 'proof', day: 'proof', eye: 'proof' },
    perEye: [1, 1],
    oneEyed: 0,
    minutesBetween: [5, 25],
    write: (visit, folder) => {
      const isSecond = visit.index % 2 === 1
      if (!isSecond) before = visit.shots.map(() => ({ stem: String(count++).padStart(width, '0') }))
      for (const shot of visit.shots) {
        const { stem } = before[shot.number - 1]!
        folder.picture(visit, shot, stem + (isSecond ? second : '.jpg'), { facts: isSecond ? NOTHING : {} })
        if (!isSecond)
          folder.data(
            `${stem}.${form.extension}`,
            form.text(treeOf(spelling, statementsOf(visit, shot.eye))),
            shot.atMs + (isFirst ? -900 : 900),
          )
      }
    },
  }
})

/** An instant whose offset moves it to another day than its digits say. */
const shiftedInstants = besideEach('trap', 'instants of another zone', (draw, spelling) => {
  const sign = draw.style([1, -1])
  const form = draw.style(['+hh:mm', '+hhmm', 'Z at the end of the day'] as const)
  return ({ shot, visit }, tree) => {
    const { day, zoneHours } = visit
    const hour = new Date(shot.atMs).getUTCHours()
    // The smallest offset with which the clock shows another day, at most twelve hours back and fourteen ahead.
    const hours = sign > 0 ? 24 - hour : -(hour + 1)
    const ofZone = zoneHours + hours
    const isPossible = form !== 'Z at the end of the day' && ofZone >= -12 && ofZone <= 14
    const two = (value: number): string => String(Math.abs(value)).padStart(2, '0')
    const time = new Date(shot.atMs).toISOString().slice(11, 19)
    const inZone = (ahead: number): string =>
      new Date(Date.parse(`${day}T${time}Z`) + ahead * 3_600_000).toISOString().slice(0, 19)
    if (!isPossible) return { tree: withField(tree, spelling.names.day, `${inZone(-zoneHours)}Z`) }
    const local = inZone(hours)
    const offset = `${ofZone < 0 ? '-' : '+'}${two(ofZone)}${form === '+hhmm' ? '' : ':'}00`
    return { tree: withField(tree, spelling.names.day, local + offset), facts: { day: 'weak' } }
  }
})

/** `case.json` gives one image two eyes, or names what is not its own. */
const caseOfTwoEyes = exams(
  'trap',
  'case.json that gives an image both eyes',
  (draw) => {
    const how = draw.style(['same name twice', 'another case of letters', 'with and without folder'] as const)
    return ({ above, shot, states, visit, files, draw }, put) => {
      // Each image is written before the record; which one is named twice is known from the start.
      const isFalse = shot.number === 1 && visit.index % 3 !== 0
      put.image(isFalse ? { eye: 'disputed' } : {})
      if (shot.number !== visit.shots.length) return
      const code = (eye: Eye): string => (eye === 'right' ? 'OD' : 'OS')
      const [first] = visit.shots
      const named = {
        'same name twice': files[0]!,
        'another case of letters': files[0]!.toUpperCase(),
        'with and without folder': `./${files[0]!}`,
      }[how]
      const images: Tree = visit.shots.map(({ eye }, index) => [files[index]!, code(eye)] as const)
      const all = visit.index % 3 === 0 ? images : insert(draw, images, [named, code(other(first!.eye))])
      const head = Object.entries(
        JSON.parse(caseJson({ ...states, eye: null }, null)) as Record<string, string>,
      )
      put.data(`${above}case.json`, toJson([...head, ['images', all]]), 4_000)
    }
  },
  {
    folders: [(draw) => `${draw.uuid()}/`, (_draw, visit) => `${visit.day}/${visit.index}x/`],
    perEye: [1, 2],
  },
)

export const attackedDocuments: readonly Convention[] = [
  ofAnotherFile,
  ofAnotherVisit,
  twice('number'),
  twice('eye'),
  twice('day'),
  twice('name'),
  elsewhere('number'),
  elsewhere('eye'),
  elsewhere('day'),
  unknownBlock,
  twoRecords,
  copiedRecord,
  stemWithCopyMark,
  twoDevices,
  shiftedInstants,
  caseOfTwoEyes,
]
