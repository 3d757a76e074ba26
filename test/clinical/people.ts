/** Synthetic people: plain names, and the names that a program takes for an eye, a title, a number or nothing. */
import type { Draw } from './draw.ts'
import type { Person, Sex } from './world.ts'

export type Name = { readonly last: string; readonly first: string }

const FIRST_NAMES: Readonly<Record<Sex, readonly string[]>> = {
  F: 'Ana Maria Elena Sofia Clara Julia Emma Hanna Marta Lucia Ines Camille Beatriz Giulia Paula Nadia Ruth Vera Alice Irene'.split(
    ' ',
  ),
  M: 'Juan Pedro Tom Luis Hans Marco Paul Felix Andre Hugo Bruno Daniel Peter Simon David Jorge Emil Adam Noah Ivan'.split(
    ' ',
  ),
}

const LAST_NAMES =
  'Lopez Garcia Baker Miller Schmidt Weber Moreau Dubois Ferreira Almeida Rossi Bianchi Novak Jansen Berg Larsen Quiroga Mendez Walker Turner Fischer Keller Petit Lambert Teixeira Barros Ferrari Conti Kowalski Dahl Nielsen Fuentes Salazar Harper Bennett Vogel Brandt Girard Fontaine Pereira'.split(
    ' ',
  )

/** Surnames that mean an eye in the language of some clinic. */
export const EYE_SURNAMES = 'Izquierdo Derecho Right Left Droit Gauche Links Rechts Destro Direito'.split(' ')

/** Short names that are also an eye's code. */
export const CODE_SURNAMES = 'Od Os Oi Oe Og Le Re La Ra'.split(' ')

/** Names that contain an eye's code. */
export const CONTAINING_NAMES: readonly Name[] = [
  ['Osorio', 'Odette'],
  ['Rodriguez', 'Carlos'],
  ['Osborne', 'Oscar'],
  ['Odier', 'Rosa'],
  ['Goode', 'Rod'],
  ['Os', 'Jan van'],
  ['Oduya', 'Osman'],
  ['Leroy', 'Odile'],
  ['Brightman', 'Leftina'],
  ['Cleft', 'Reina'],
  ['Ramos', 'Lea'],
  ['Olsen', 'Gregor'],
].map(([last = '', first = '']) => ({ last, first }))

export const PUNCTUATED_NAMES: readonly Name[] = [
  ["O'Dell", 'Ray'],
  ["D'Angelo", 'Rita'],
  ["O'Sullivan", 'Liam'],
  ["L'Estrange", 'Odile'],
  ['St. John', 'Mary Ann'],
  ['Smith-Jones', 'Ann'],
  ["N'Diaye", 'Awa'],
  ["D'Oliveira", 'R. Ana'],
  ['McR. Left', 'D. Tom'],
].map(([last = '', first = '']) => ({ last, first }))

export const DOUBLE_NAMES: readonly Name[] = [
  ['Garcia Lopez', 'Ana Maria'],
  ['Van Os', 'Pieter'],
  ['De la Re', 'Marco'],
  ['Fernandez de Cordoba', 'Jose Luis'],
  ['Von der Links', 'Karl'],
  ['Da Silva Direito', 'Ana'],
  ['Le Gauche', 'Marie'],
  ['Santos Oliveira', 'Joao Pedro'],
].map(([last = '', first = '']) => ({ last, first }))

export const DIGIT_NAMES: readonly Name[] = [
  ['Baker2', 'Tom'],
  ['Smith', 'John 3rd'],
  ['Baby2', 'Lopez'],
  ['Twin1', 'Weber'],
  ['Miller 2', 'Paul'],
].map(([last = '', first = '']) => ({ last, first }))

/** Other scripts, and Latin letters with marks that have two normal forms. */
export const WORLD_NAMES: readonly Name[] = [
  ['Müller', 'Jürgen'],
  ['Núñez', 'Íñigo'],
  ['Ångström', 'Åsa'],
  ['Žižková', 'Šárka'],
  ['Gonçalves', 'João'],
  ['Иванова', 'Ольга'],
  ['Παπαδόπουλος', 'Γιώργος'],
  ['田中', '花子'],
  ['김', '민수'],
  ['حسن', 'أحمد'],
  ['Nguyễn', 'Thị Hoa'],
  ['Đorđević', 'Anđela'],
].map(([last = '', first = '']) => ({ last, first }))

const LAST_BIRTH_YEAR = 1998

/** A person with a plain name; `id` comes from the clinic's own numbers. */
export function drawPerson(draw: Draw, id: string, aliases: readonly string[] = [], name?: Name): Person {
  const sex: Sex = draw.chance(0.5) ? 'F' : 'M'
  const { last, first } = name ?? { last: draw.pick(LAST_NAMES), first: draw.pick(FIRST_NAMES[sex]) }
  return { id, aliases, last, first, birthDate: drawBirthDate(draw, 1931, LAST_BIRTH_YEAR), sex }
}

export function drawBirthDate(draw: Draw, firstYear: number, lastYear: number): string {
  const month = draw.int(1, 12)
  const day = draw.int(1, 28)
  return `${draw.int(firstYear, lastYear)}-${month < 10 ? '0' : ''}${month}-${day < 10 ? '0' : ''}${day}`
}

/** Another person who shares neither number, name nor birth date with this one. */
export function drawStranger(draw: Draw, to: Person, id: string): Person {
  for (;;) {
    const stranger = drawPerson(draw, id)
    if (stranger.last !== to.last && stranger.first !== to.first && stranger.birthDate !== to.birthDate)
      return stranger
  }
}
