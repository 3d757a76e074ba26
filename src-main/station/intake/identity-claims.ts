/** Do a path and a sidecar speak of two patients? Pure. */

/** `H-00017` has the shape `A-00000`: names written alike are claims of the same kind. */
function shapeOf(id: string): string {
  return id.replaceAll(/\p{L}/gu, 'A').replaceAll(/\d/g, '0')
}

function plain(id: string): string {
  return id.trim().toUpperCase()
}

/**
 * The ids in a path that claim another patient than the stated one.
 *
 * A folder may be called anything ("case-7"); only a name that is written just like the stated id, and is not
 * it, is a claim of its own.
 */
export function otherPatients(idsInPath: readonly string[], stated: string): string[] {
  return idsInPath.filter(
    (id) => plain(id) !== plain(stated) && shapeOf(plain(id)) === shapeOf(plain(stated)),
  )
}
