# Makes the CSV files beside it, from R alone: Rscript make_oracles.R
options(digits = 17)

# Greenhouse-Geisser's epsilon and F of a table of zeros and ones, by a linear model of all columns.
looney <- function(seed, n, m) {
  set.seed(seed)
  difficulty <- rnorm(n)
  correct <- sapply(1:m, function(j) as.integer(difficulty + rnorm(n) < 0.3 * j))
  fit <- lm(correct ~ 1)
  test <- anova(fit, X = ~1, test = "Spherical")
  spherical <- attr(test, "heading")
  epsilon <- as.numeric(sub(".*epsilon: *", "", grep("Greenhouse", unlist(strsplit(spherical, "\n")), value = TRUE)))
  # The printed epsilon is rounded; the adjusted p-value is not.
  write.table(correct, sprintf("looney_%d.csv", seed), sep = ",", row.names = FALSE, col.names = FALSE)
  data.frame(seed = seed, F = test[["F"]][1], p = test[["Pr(>F)"]][1], adjusted = test[["G-G Pr"]][1], epsilon = epsilon)
}
found <- rbind(looney(1, 40, 3), looney(2, 60, 5))
write.csv(format(found, digits = 15), "looney.csv", row.names = FALSE, quote = FALSE)

# Rank tests with ties.
set.seed(3)
errors <- matrix(sample(1:6, 40, replace = TRUE), nrow = 4)
kruskal <- kruskal.test(as.vector(t(errors)), rep(1:4, each = 10))
friedman <- friedman.test(t(errors))
write.table(errors, "ranks.csv", sep = ",", row.names = FALSE, col.names = FALSE)
write.csv(format(data.frame(
  test = c("kruskal", "friedman"), statistic = c(kruskal$statistic, friedman$statistic),
  p = c(kruskal$p.value, friedman$p.value)), digits = 15), "rank_tests.csv", row.names = FALSE, quote = FALSE)
