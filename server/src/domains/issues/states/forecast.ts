/**
 * How many events of an issue an hour may have before it counts as escalating, from the hours before it.
 *
 * An issue is compared with itself alone, by the larger of three numbers:
 * - the busiest of what is usual at that time, three times over, with room for chance: what came around the same hour, on
 *   average of the days before, a week ago and two weeks ago, and on average of the last six hours;
 * - a quarter more than what it has reached on two different days: who bursts now and then does not surprise again;
 * - a floor, for nobody is woken by a handful of events.
 *
 * An issue that is known for less than a day says little of itself: its hours count five times, and its floor is higher.
 */

export const forecastDays = 14;
const hoursOfDay = 24;

const spike = { known: 3, young: 5 };
const floor = { known: 20, young: 50 };
/** No forecast is lower. */
export const leastForecast = floor.known;
const peakRoom = 1.25;
/** Standard deviations of a count that comes by chance. */
const chance = 4;

/**
 * `counts`: events of each full hour before the one in question, the latest last, at most fourteen days, from the hour in
 * which it was first seen on. `accepted`: events of an hour that somebody has called usual. The answer is the most that is
 * expected.
 */
export function forecast(counts: readonly number[], accepted = 0): number {
  const young = counts.length < hoursOfDay;
  const usual = Math.max(
    meanOf(young ? counts : aroundHour(counts, 1, forecastDays)),
    meanOf(aroundHour(counts, 7, 7)),
    meanOf(aroundHour(counts, 14, 14)),
    meanOf(counts.slice(-6)),
    accepted,
  );
  const spiked = usual * (young ? spike.young : spike.known) + chance * Math.sqrt(usual);
  const peaked = secondPeak(counts) * peakRoom;
  return Math.ceil(Math.max(spiked, peaked, young ? floor.young : floor.known));
}

const meanOf = (counts: readonly number[]): number =>
  counts.length ? counts.reduce((sum, one) => sum + one, 0) / counts.length : 0;

/** Of the hour itself, the one before and the one after, the busiest on each of the days that lie so many back. */
function aroundHour(counts: readonly number[], fromDay: number, untilDay: number): number[] {
  const around: number[] = [];
  for (let day = fromDay; day <= untilDay; day++) {
    const at = counts.length - day * hoursOfDay;
    const hours = counts.slice(Math.max(0, at - 1), Math.max(0, at + 2));
    if (hours.length) around.push(Math.max(...hours));
  }
  return around;
}

/** The busiest hours of each day back from now; the second largest of them. */
function secondPeak(counts: readonly number[]): number {
  let [first, second] = [0, 0];
  for (let end = counts.length; end > 0; end -= hoursOfDay) {
    const peak = Math.max(...counts.slice(Math.max(0, end - hoursOfDay), end));
    if (peak > first) [first, second] = [peak, first];
    else if (peak > second) second = peak;
  }
  return second;
}
