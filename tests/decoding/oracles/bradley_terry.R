# Bradley-Terry fits by R's glm: an oracle for decode_bradley_terry on one-vs-one.
#   Rscript bradley_terry.R
# writes bradley_terry_pairs.csv (case, i, j, r, weight) and bradley_terry_fits.csv (case, class, p).
# p_i is proportional to exp of the coefficient of class i; classes count from 0.

set.seed(1)
pairs <- data.frame()
fits <- data.frame()
case <- 0
for (k in c(3, 3, 4, 5, 7, 10)) {
  case <- case + 1
  index <- t(combn(k, 2))
  design <- matrix(0, nrow(index), k)
  design[cbind(seq_len(nrow(index)), index[, 1])] <- 1
  design[cbind(seq_len(nrow(index)), index[, 2])] <- -1
  r <- round(runif(nrow(index), 0.02, 0.98), 4)
  weight <- if (case %% 2 == 0) sample(1:90, nrow(index)) else rep(1, nrow(index))
  if (case == 1) r <- c(0.9, 0.4, 0.7)  # the example of Hastie & Tibshirani
  fit <- suppressWarnings(glm(r ~ design[, -k] - 1, family = binomial, weights = weight,
                              control = list(epsilon = 1e-15, maxit = 100)))
  theta <- c(coef(fit), 0)
  p <- exp(theta - max(theta))
  pairs <- rbind(pairs, data.frame(case = case, i = index[, 1] - 1, j = index[, 2] - 1, r = r, weight = weight))
  fits <- rbind(fits, data.frame(case = case, class = seq_len(k) - 1, p = sprintf("%.15f", p / sum(p))))
}
write.csv(pairs, "bradley_terry_pairs.csv", row.names = FALSE, quote = FALSE)
write.csv(fits, "bradley_terry_fits.csv", row.names = FALSE, quote = FALSE)
